#include "grammar/closing-costs.h"

#include <algorithm>

namespace {

/** Returns the sibling node from `begin` to `end` that has this byte; -1 if there is none. */
int32_t findNode(const TokenTree& tokens, int32_t begin, int32_t end, int32_t byte) {
  if (begin == 0) return tokens.root(byte);
  for (int32_t node = begin; node < end; node = tokens.nodes()[node].next) {
    if (tokens.nodes()[node].byte == byte) return node;
  }
  return -1;
}

/** Returns true where a token ends at the node itself. */
bool endsToken(const TokenTree& tokens, int32_t node) {
  const int32_t before = node == 0 ? 0 : tokens.nodes()[node - 1].tokensEnd;
  return tokens.nodes()[node].tokensEnd > before;
}

}  // namespace

ClosingCosts::ClosingCosts(const Grammar& grammar, const TokenTree& tokens)
    : place_(grammar.states(), unreachableCost), tokens_(grammar.states(), unreachableCost) {
  for (const int32_t state : orderByBytes(grammar)) {
    tokens_[state] = tokensFrom(grammar, tokens, state);
  }
}

/** Orders the states by the fewest bytes that must be read before their call returns. */
std::vector<int32_t> ClosingCosts::orderByBytes(const Grammar& grammar) {
  std::vector<int32_t> order;
  visitByCost(
      grammar, [](int32_t, const Grammar::Edge& edge) { return byteStep(edge); },
      [&](int32_t state, int32_t) {
        place_[state] = static_cast<int32_t>(order.size());
        order.push_back(state);
        return true;
      });
  return order;
}

/** Returns the cost of a state. Uses only states earlier in the order, whose costs are known. */
int32_t ClosingCosts::tokensFrom(const Grammar& grammar, const TokenTree& tokens,
                                 int32_t state) const {
  int32_t least = throughTokens(grammar, tokens, state);
  for (const Grammar::Edge* edge = grammar.begin(state); edge != grammar.end(state); edge++) {
    if (edge->kind == Grammar::Kind::end) return 0;
    if (!isBefore(edge->to, state) || (edge->isCall() && !isBefore(edge->a, state))) continue;
    const int32_t own = edge->kind == Grammar::Kind::bytes ? 1
                        : edge->isCall()                   ? tokens_[edge->a]
                                                           : 0;
    // A name may have to differ from the object's other names.
    const int32_t spare = edge->kind == Grammar::Kind::key ? nameTokensSpare : 0;
    least = std::min(least, own + spare + tokens_[edge->to]);
  }
  return least;
}

/** Returns the cost if the next token reads only fixed bytes; `unreachableCost` if none does. */
int32_t ClosingCosts::throughTokens(const Grammar& grammar, const TokenTree& tokens,
                                    int32_t state) const {
  int32_t least = unreachableCost;
  int32_t begin = 0;
  auto end = static_cast<int32_t>(tokens.nodes().size());
  for (int32_t at = state; begin < end;) {
    // Follows the path with the fewest bytes as long as its bytes are fixed.
    const Grammar::Edge* next = nullptr;
    for (const Grammar::Edge* edge = grammar.begin(at); edge != grammar.end(at); edge++) {
      const bool isFixed = edge->kind == Grammar::Kind::skip ||
                           (edge->kind == Grammar::Kind::bytes && edge->a == edge->b);
      if (!isFixed || !isBefore(edge->to, at)) continue;
      if (next == nullptr || isBefore(edge->to, next->to)) next = edge;
    }
    if (next == nullptr) break;
    at = next->to;
    if (next->kind == Grammar::Kind::skip) continue;
    const int32_t node = findNode(tokens, begin, end, next->a);
    if (node < 0) break;
    if (endsToken(tokens, node)) least = std::min(least, 1 + tokens_[at]);
    begin = node + 1;
    end = tokens.nodes()[node].next;
  }
  return least;
}
