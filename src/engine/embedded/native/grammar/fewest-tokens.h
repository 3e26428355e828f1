#pragma once

#include <cstdint>

#include "grammar/grammar.h"
#include "grammar/token-tree.h"

/**
 * Returns a lower bound on the tokens of any text of the grammar, or `unreachableCost` if each text
 * has at least that many bytes. `ClosingCosts` gives an upper bound for the shortest one.
 */
int32_t fewestTokens(const Grammar& grammar, const TokenTree& tokens);
