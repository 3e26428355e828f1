#include "grammar/fewest-tokens.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "grammar/closing-costs.h"

namespace {

/** Limits on the work: bytes to examine in one fixed text, and in all fixed texts together. */
constexpr size_t fixedBytesMax = 512;
constexpr size_t fixedBytesSumMax = 1 << 20;

struct Step {
  int32_t cost;
  int32_t to;
};

bool isCall(const Grammar::Edge& edge) {
  return edge.kind == Grammar::Kind::call || edge.kind == Grammar::Kind::key;
}

/** Returns true if only one byte can follow the state. */
bool isFixed(const Grammar& grammar, int32_t state) {
  const Grammar::Edge* edge = grammar.begin(state);
  return edge + 1 == grammar.end(state) && edge->kind == Grammar::Kind::bytes && edge->a == edge->b;
}

/** Returns true for each state at which a fixed text begins, and false for states inside one. */
std::vector<bool> fixedTexts(const Grammar& grammar) {
  std::vector<bool> begins(grammar.states(), false);
  begins[grammar.start()] = isFixed(grammar, grammar.start());
  for (int32_t state = 0; state < grammar.states(); state++) {
    if (isFixed(grammar, state)) continue;
    for (const Grammar::Edge* edge = grammar.begin(state); edge != grammar.end(state); edge++) {
      if (edge->kind == Grammar::Kind::end) continue;
      if (isFixed(grammar, edge->to)) begins[edge->to] = true;
      if (isCall(*edge) && isFixed(grammar, edge->a)) begins[edge->a] = true;
    }
  }
  return begins;
}

/**
 * Returns the least sum of costs from the start to the end of a text: Dijkstra's algorithm,
 * extended to calls, whose costs add up (Knuth, 1977). `stepOf` gives the cost of an edge, not
 * counting the call that it makes.
 */
template <typename StepOf>
int32_t leastCost(const Grammar& grammar, StepOf stepOf) {
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
        if (isFirst && isCall(*edge)) users[edge->a].push_back(state);
        cost = std::min(step.cost + known(step.to), unreachableCost);
        if (isCall(*edge)) cost = std::min(cost + known(edge->a), unreachableCost);
      }
      if (cost >= costs[state]) continue;
      costs[state] = cost;
      waiting.push({cost, state});
    }
  };
  for (int32_t state = 0; state < states; state++) offer(state, true);
  while (!waiting.empty()) {
    const int32_t state = waiting.top().second;
    waiting.pop();
    if (isKnown[state]) continue;
    isKnown[state] = true;
    if (state == grammar.start()) break;
    for (const int32_t user : users[state]) {
      if (!isKnown[user]) offer(user, false);
    }
  }
  return known(grammar.start());
}

/**
 * Returns the fewest tokens that can begin in the text from `begin` on, provided that one of them
 * begins exactly there. `after` holds the results for later positions.
 */
int32_t tokensFrom(const std::string& text, size_t begin, const TokenTree& tokens,
                   const std::vector<int32_t>& after) {
  int32_t least = unreachableCost;
  int32_t node = 0;
  auto end = static_cast<int32_t>(tokens.nodes().size());
  for (size_t at = begin; at < text.size(); at++) {
    const auto byte = static_cast<uint8_t>(text[at]);
    if (at == begin) node = tokens.root(byte);
    while (node >= 0 && node < end && tokens.nodes()[node].byte != byte) {
      node = tokens.nodes()[node].next;
    }
    if (node < 0 || node >= end) break;
    // A token may reach beyond the text.
    if (at + 1 == text.size()) return 1;
    const int32_t tokensBefore = node == 0 ? 0 : tokens.nodes()[node - 1].tokensEnd;
    if (tokens.nodes()[node].tokensEnd > tokensBefore) least = std::min(least, 1 + after[at + 1]);
    end = tokens.nodes()[node].next;
    node++;
  }
  return least;
}

/**
 * Returns the fewest tokens that begin within a fixed text. A token that begins before the text may
 * cover its first bytes, but only if any three consecutive bytes of them occur in some token.
 */
int32_t tokensWithin(const std::string& text, const TokenTree& tokens) {
  std::vector<int32_t> after(text.size() + 1, 0);
  for (size_t begin = text.size(); begin-- > 0;) {
    // Counts a single byte as a token even if the vocabulary has none: this keeps a lower bound.
    after[begin] = std::min(tokensFrom(text, begin, tokens, after), 1 + after[begin + 1]);
  }
  int32_t least = unreachableCost;
  for (size_t begin = 0; begin <= text.size() && begin <= tokens.tokenBytesMax(); begin++) {
    if (begin >= 3 && !tokens.hasWithin(text.data() + begin - 3)) break;
    least = std::min(least, after[begin]);
  }
  return least;
}

}  // namespace

int32_t fewestTokens(const Grammar& grammar, const TokenTree& tokens) {
  const int32_t bytes = leastCost(grammar, [](int32_t, const Grammar::Edge& edge) {
    return Step{edge.kind == Grammar::Kind::bytes ? 1 : 0, edge.to};
  });
  if (bytes == 0 || bytes >= unreachableCost) return bytes;
  const auto longest = static_cast<int32_t>(std::max<size_t>(tokens.tokenBytesMax(), 1));
  const std::vector<bool> begins = fixedTexts(grammar);
  std::string text;
  size_t bytesSum = 0;
  const int32_t later = leastCost(grammar, [&](int32_t state, const Grammar::Edge& edge) {
    if (!begins[state] || bytesSum > fixedBytesSumMax) return Step{0, edge.to};
    text.clear();
    int32_t at = state;
    while (isFixed(grammar, at) && text.size() < fixedBytesMax) {
      text.push_back(static_cast<char>(grammar.begin(at)->a));
      at = grammar.begin(at)->to;
    }
    bytesSum += text.size();
    return Step{tokensWithin(text, tokens), at};
  });
  // Adds one for the first token of the text, which `later` may leave out.
  return std::max((bytes + longest - 1) / longest, 1 + later);
}
