#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "grammar/token-tree.h"
#include "llama.h"

/** The marks around the thoughts of one reply; `child/addon.ts` has the types. */
struct ThoughtMarks {
  /** A place in a reply. The member `place` is where the reply stands at the end of the prompt. */
  enum class Place {
    /** The reply may begin with a thought. */
    start,
    thought,
    answer,
  };
  Place place = Place::start;
  std::string begin;
  std::string end;
  /** True if a reply is a sequence of messages, several of which may be thoughts. */
  bool repeats = false;
  /** Texts that may precede the answer; at most one does. */
  std::vector<std::string> answerBegins;
  /** Tokens to force when a thought has used up `tokensMax`. */
  std::vector<llama_token> close;
  /** Tokens to force after a thought that the model ends, if a grammar constrains the answer. */
  std::vector<llama_token> bridge;
  /** Maximum number of tokens in all thoughts together; -1 means no limit. */
  int tokensMax = -1;
  /**
   * Number of tokens that suffices for the shortest answer, without the text that may precede it;
   * -1 if the answer may be cut off.
   */
  int answerTokens = -1;
  /** Number of tokens that suffices for each text that may precede the answer. */
  int headerTokens = 0;

  /**
   * Keeps room for an answer of this many tokens. Returns a number of tokens that suffices for the
   * answer and all marks before it.
   */
  int reserve(int answer, const TokenTree& tree);
  /** Returns a number of tokens that suffices to close a thought, and for the shortest answer. */
  int closingTokens() const { return static_cast<int>(close.size()) + headerTokens + answerTokens; }
};

/**
 * Follows one reply through its thoughts and its answer. Ends a thought that has used up its
 * tokens, and tells where a grammar begins to constrain the reply.
 */
class ThoughtGuide {
 public:
  using Place = ThoughtMarks::Place;

  ThoughtGuide(ThoughtMarks marks, bool hasGrammar, std::shared_ptr<const TokenTree> tree);

  Place place() const { return place_; }
  /** Returns the token that must come next; -1 where the model chooses. */
  llama_token forcedToken(bool isCharacterComplete);
  /** Tells how many tokens may follow the next one, which must suffice for the answer. */
  void closeWithin(int tokens) { closeWithin_ = tokens; }
  /** Returns true while the next token is forced, not chosen by the model. */
  bool isForcing() const { return !forced_.empty(); }
  /** Returns true if the text with this token is still the start of a mark that has room. */
  bool continuesMark(llama_token token) const;
  /** Returns true if a token inside a thought does not reach beyond the end mark. */
  bool staysInThought(llama_token token) const;
  /**
   * Accepts a token. Returns true if the grammar starts anew after it, because the token completes
   * a mark or is the last forced one.
   */
  bool accept(llama_token token);

 private:
  bool acceptAtStart();
  bool endThought();
  bool mayThink() const { return marks_.tokensMax < 0 || tokens_ < marks_.tokensMax; }
  bool hasRoom(int tokens) const { return marks_.answerTokens < 0 || tokens <= closeWithin_; }

  ThoughtMarks marks_;
  bool hasGrammar_;
  std::shared_ptr<const TokenTree> tree_;
  Place place_;
  /** At the start: the text so far. Elsewhere: its last bytes, fewer than the longest mark. */
  std::string text_;
  /** At the start: the number of bytes of white space at the beginning of `text_`. */
  size_t blankBytes_ = 0;
  std::deque<llama_token> forced_;
  int tokens_ = 0;
  int closeWithin_ = 0;
};
