#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "grammar/grammar.h"
#include "grammar/least-costs.h"
#include "grammar/token-tree.h"

/** Extra tokens for making a name differ from the object's other names. */
constexpr int32_t nameTokensSpare = 2;

/**
 * Computes for each state of a grammar an upper bound on the fewest tokens with which its call
 * can return. It counts the tokens of the text with the fewest bytes, and uses long tokens for the
 * fixed parts of that text, such as names. The vocabulary must have a token for each byte of the
 * text. The bound can be too low if a name needs more than `nameTokensSpare` extra tokens to differ
 * from the object's other names.
 */
class ClosingCosts {
 public:
  ClosingCosts(const Grammar& grammar, const TokenTree& tokens);
  int32_t tokens(int32_t state) const { return tokens_[state]; }

 private:
  std::vector<int32_t> orderByBytes(const Grammar& grammar);
  int32_t tokensFrom(const Grammar& grammar, const TokenTree& tokens, int32_t state) const;
  int32_t throughTokens(const Grammar& grammar, const TokenTree& tokens, int32_t state) const;
  bool isBefore(int32_t state, int32_t other) const { return place_[state] < place_[other]; }

  /** Rank of each state by the fewest bytes that it needs to return. */
  std::vector<int32_t> place_;
  std::vector<int32_t> tokens_;
};
