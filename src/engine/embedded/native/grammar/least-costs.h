#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "grammar/grammar.h"

/**
 * The cost of an unreachable state in tokens or bytes. Higher costs are cut to it. It is below half
 * of the maximum, so that two costs can be added.
 */
constexpr int32_t unreachableCost = std::numeric_limits<int32_t>::max() / 4;

/** Cost of an edge, not counting the call that it makes, and the state that follows. */
struct Step {
  int32_t cost;
  int32_t to;
};

/**
 * Visits the states in ascending order of the least sum of costs after which their call returns:
 * Dijkstra's algorithm, extended to calls, whose costs add up (Knuth, 1977). `stepOf(state, edge)`
 * returns the step of an edge. `visit(state, cost)` returns false to end the search.
 */
template <typename StepOf, typename Visit>
void visitByCost(const Grammar& grammar, StepOf stepOf, Visit visit) {
  const int32_t states = grammar.states();
  std::vector<int32_t> costs(states, unreachableCost);
  std::vector<bool> isKnown(states, false);
  std::vector<std::vector<int32_t>> users(states);
  using Entry = std::pair<int32_t, int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> waiting;
  const auto known = [&](int32_t state) { return isKnown[state] ? costs[state] : unreachableCost; };
  const auto offer = [&](int32_t state, bool isFirst) {
    for (const Grammar::Edge* edge = grammar.begin(state); edge != grammar.end(state); edge++) {
      int32_t cost = 0;
      if (edge->kind != Grammar::Kind::end) {
        const Step step = stepOf(state, *edge);
        if (isFirst) users[step.to].push_back(state);
        if (isFirst && edge->isCall()) users[edge->a].push_back(state);
        cost = std::min(step.cost + known(step.to), unreachableCost);
        if (edge->isCall()) cost = std::min(cost + known(edge->a), unreachableCost);
      }
      if (cost >= costs[state]) continue;
      costs[state] = cost;
      waiting.push({cost, state});
    }
  };
  for (int32_t state = 0; state < states; state++) offer(state, true);
  while (!waiting.empty()) {
    const auto [cost, state] = waiting.top();
    waiting.pop();
    if (isKnown[state]) continue;
    isKnown[state] = true;
    if (!visit(state, cost)) return;
    for (const int32_t user : users[state]) {
      if (!isKnown[user]) offer(user, false);
    }
  }
}

/** The step of an edge where each byte costs one. */
inline Step byteStep(const Grammar::Edge& edge) {
  return {edge.kind == Grammar::Kind::bytes ? 1 : 0, edge.to};
}
