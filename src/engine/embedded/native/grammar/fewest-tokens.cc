#include "grammar/fewest-tokens.h"

#include <algorithm>
#include <string>
#include <vector>

#include "grammar/least-costs.h"

namespace {

/** Limits on the work: bytes to examine in one fixed text, and in all fixed texts together. */
constexpr size_t fixedBytesMax = 512;
constexpr size_t fixedBytesSumMax = 1 << 20;

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
      if (edge->isCall() && isFixed(grammar, edge->a)) begins[edge->a] = true;
    }
  }
  return begins;
}

/** Returns the least sum of costs from the start to the end of a text. */
template <typename StepOf>
int32_t leastCost(const Grammar& grammar, StepOf stepOf) {
  int32_t least = unreachableCost;
  visitByCost(grammar, stepOf, [&](int32_t state, int32_t cost) {
    if (state == grammar.start()) least = cost;
    return state != grammar.start();
  });
  return least;
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
  const int32_t bytes =
      leastCost(grammar, [](int32_t, const Grammar::Edge& edge) { return byteStep(edge); });
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
