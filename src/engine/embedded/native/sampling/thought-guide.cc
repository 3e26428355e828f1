#include "sampling/thought-guide.h"

#include <algorithm>
#include <utility>

#include "grammar/least-costs.h"

namespace {

/**
 * Longest white space at the start of a reply before a mark, in bytes. A reply that begins with
 * more has begun its answer, as `blankCharsMax` in `dialect-limits.ts` says.
 */
constexpr size_t blankBytesMax = 16384;

/** Maximum number of tokens in one UTF-8 character. A thought is not ended within a character. */
constexpr int characterTokensMax = 4;

bool startsWith(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

/** Returns true if the text starts with `start` and goes on with `next`. */
bool startsWith(const std::string& text, const std::string& start, const std::string& next) {
  return startsWith(text, start) && text.compare(start.size(), next.size(), next) == 0;
}

}  // namespace

int ThoughtMarks::reserve(int answer, const TokenTree& tree) {
  answerTokens = answer;
  headerTokens = 0;
  for (const std::string& text : answerBegins) {
    const int tokens = tree.countIn(text);
    if (tokens < unreachableCost) headerTokens = std::max(headerTokens, tokens);
  }
  if (place == Place::answer) return headerTokens + answer;
  const int ending = characterTokensMax - 1 + closingTokens();
  const int beginTokens = place == Place::start ? tree.countIn(begin) : 0;
  return beginTokens < unreachableCost ? beginTokens + ending : ending;
}

ThoughtGuide::ThoughtGuide(ThoughtMarks marks, bool hasGrammar,
                           std::shared_ptr<const TokenTree> tree)
    : marks_(std::move(marks)),
      hasGrammar_(hasGrammar),
      tree_(std::move(tree)),
      place_(marks_.place) {
  // Where the prompt has ended the thought, the model may still have to write the text before the
  // answer.
  if (place_ == Place::answer && hasGrammar_ && !marks_.answerBegins.empty()) {
    place_ = Place::start;
    marks_.tokensMax = 0;
  }
}

llama_token ThoughtGuide::forcedToken(bool isCharacterComplete) {
  if (forced_.empty() && place_ == Place::thought && isCharacterComplete) {
    // The next token may be the first of a character.
    const bool mayGoOn = mayThink() && hasRoom(characterTokensMax - 1 + marks_.closingTokens());
    if (!mayGoOn) {
      forced_.assign(marks_.close.begin(), marks_.close.end());
      endThought();
    }
  }
  return forced_.empty() ? -1 : forced_.front();
}

bool ThoughtGuide::continuesMark(llama_token token) const {
  const std::string& bytes = tree_->bytesOf(token);
  if (bytes.empty()) return false;
  const size_t end = text_.size() + bytes.size();
  const auto continues = [&](const std::string& mark, int tokensAfter) {
    return startsWith(mark, text_, bytes) && hasRoom(tree_->countIn(mark, end) + tokensAfter);
  };
  // A thought without room for a character is not begun.
  if (mayThink() && continues(marks_.begin, characterTokensMax + marks_.closingTokens())) {
    return true;
  }
  return std::any_of(marks_.answerBegins.begin(), marks_.answerBegins.end(),
                     [&](const auto& begin) { return continues(begin, marks_.answerTokens); });
}

bool ThoughtGuide::staysInThought(llama_token token) const {
  const std::string text = text_ + tree_->bytesOf(token);
  const size_t at = text.find(marks_.end);
  return at == std::string::npos || at + marks_.end.size() == text.size();
}

bool ThoughtGuide::accept(llama_token token) {
  if (!forced_.empty()) {
    forced_.pop_front();
    return forced_.empty();
  }
  text_ += tree_->bytesOf(token);
  switch (place_) {
    case Place::start:
      return acceptAtStart();
    case Place::thought: {
      tokens_++;
      if (text_.find(marks_.end) != std::string::npos) {
        if (hasGrammar_) forced_.assign(marks_.bridge.begin(), marks_.bridge.end());
        return endThought() && forced_.empty();
      }
      const size_t kept = std::min(text_.size(), marks_.end.size() - 1);
      text_.erase(0, text_.size() - kept);
      return false;
    }
    case Place::answer:
      break;
  }
  if (!marks_.repeats || hasGrammar_) {
    text_.clear();
    return false;
  }
  if (text_.find(marks_.begin) != std::string::npos) {
    place_ = Place::thought;
    text_.clear();
  } else {
    text_.erase(0, text_.size() - std::min(text_.size(), marks_.begin.size() - 1));
  }
  return false;
}

bool ThoughtGuide::acceptAtStart() {
  if (marks_.begin[0] != ' ') {
    blankBytes_ = std::min(text_.find_first_not_of(" \n\r\t", blankBytes_), text_.size());
  }
  if (blankBytes_ > blankBytesMax) {
    place_ = Place::answer;
    return false;
  }
  if (blankBytes_ == text_.size()) return false;
  const std::string text = text_.substr(blankBytes_);
  if (startsWith(text, marks_.begin)) {
    place_ = Place::thought;
    tokens_++;
    text_.clear();
    return true;
  }
  bool isOpen = startsWith(marks_.begin, text);
  for (const std::string& begin : marks_.answerBegins) {
    if (hasGrammar_ && text == begin) {
      place_ = Place::answer;
      return true;
    }
    isOpen = isOpen || startsWith(begin, text);
  }
  if (!isOpen) place_ = Place::answer;
  return false;
}

/** Leaves a thought. Always returns true, because a grammar starts anew after it. */
bool ThoughtGuide::endThought() {
  const bool hasMarks = marks_.repeats || !marks_.answerBegins.empty();
  place_ = hasGrammar_ && hasMarks ? Place::start : Place::answer;
  if (!marks_.repeats) marks_.tokensMax = 0;
  text_.clear();
  blankBytes_ = 0;
  return true;
}
