#include "grammar/closing-cache.h"

#include <algorithm>

#include "grammar/fewest-tokens.h"

namespace {

/** A large grammar and its costs take 4 MB. */
constexpr size_t closingsMax = 8;

}  // namespace

GrammarClosing& ClosingCache::of(const std::shared_ptr<const Grammar>& grammar,
                                 const TokenTree& tokens) {
  const auto known =
      std::find_if(closings_.begin(), closings_.end(),
                   [&](const GrammarClosing& closing) { return *closing.grammar == *grammar; });
  if (known != closings_.end()) {
    closings_.splice(closings_.begin(), closings_, known);
  } else {
    closings_.push_front(
        {grammar, std::make_shared<const ClosingCosts>(*grammar, tokens), std::nullopt});
    if (closings_.size() > closingsMax) closings_.pop_back();
  }
  return closings_.front();
}

int32_t ClosingCache::fewest(GrammarClosing& closing, const TokenTree& tokens) {
  if (!closing.fewest.has_value()) closing.fewest = fewestTokens(*closing.grammar, tokens);
  return *closing.fewest;
}
