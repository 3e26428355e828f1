#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>

#include "grammar/closing-costs.h"
#include "grammar/grammar.h"
#include "grammar/token-tree.h"

/** The costs of closing the texts of one grammar. */
struct GrammarClosing {
  std::shared_ptr<const Grammar> grammar;
  std::shared_ptr<const ClosingCosts> costs;
  /** The result of `fewestTokens`, once it was needed. */
  std::optional<int32_t> fewest;
};

/**
 * Keeps the closing costs of the latest grammars, because the choices of a request and later
 * requests use the same ones, and a large grammar takes a tenth of a second. All calls must come
 * from one thread, with the same tokens.
 */
class ClosingCache {
 public:
  GrammarClosing& of(const std::shared_ptr<const Grammar>& grammar, const TokenTree& tokens);
  /** Returns `fewestTokens` of the grammar. */
  static int32_t fewest(GrammarClosing& closing, const TokenTree& tokens);

 private:
  /** The most recently used one is the first. */
  std::list<GrammarClosing> closings_;
};
