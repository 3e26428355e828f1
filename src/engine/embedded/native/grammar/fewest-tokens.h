#pragma once

#include <cstdint>

#include "grammar/grammar.h"
#include "grammar/token-tree.h"

/**
 * Returns a number of tokens that every text of the grammar has at least. It is a lower bound, while
 * `ClosingCosts` gives a number that suffices.
 */
int32_t fewestTokens(const Grammar& grammar, const TokenTree& tokens);
