#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "grammar/token-tree.h"
#include "llama.h"

/** The marks around the thoughts of one reply; `child/addon.ts` has the types. */
struct ThoughtMarks {
  /** The place of the reply where the prompt ends. */
  enum class Place {
    /** The reply may begin with a thought. */
    start,
    thought,
    answer,
  };
  Place place = Place::start;
  std::string begin;
  std::string end;
  /** A reply is a sequence of messages, and several of them may be thoughts. */
  bool repeats = false;
  /** Texts that may precede the answer; at most one does. */
  std::vector<std::string> answerBegins;
  /** Ends a thought that has used its tokens. */
  std::vector<llama_token> close;
  /** Follows the end of a thought where a grammar constrains the answer. */
  std::vector<llama_token> bridge;
  /** -1: no limit. */
  int tokensMax = -1;
};

/**
 * Follows one reply through its thoughts and its answer. It ends a thought that has used its tokens, and says
 * from where on a grammar constrains the reply.
 */
class ThoughtGuide {
 public:
  using Place = ThoughtMarks::Place;

  ThoughtGuide(ThoughtMarks marks, bool hasGrammar, std::shared_ptr<const TokenTree> tree);

  Place place() const { return place_; }
  /** Returns the token that must come next; -1 where the model chooses. */
  llama_token forcedToken(bool isCharacterComplete);
  /** Returns true while tokens follow that the model does not choose. */
  bool isForcing() const { return !forced_.empty(); }
  /** Returns true if the reply is still the start of a mark with this token. */
  bool continuesMark(llama_token token) const;
  /** Returns true in a thought where the token does not reach beyond the end mark. */
  bool staysInThought(llama_token token) const;
  /**
   * Follows a token. Returns true where the grammar starts anew after it, because a mark is
   * complete.
   */
  bool accept(llama_token token);

 private:
  bool acceptAtStart();
  bool endThought();
  bool mayThink() const { return marks_.tokensMax < 0 || tokens_ < marks_.tokensMax; }

  ThoughtMarks marks_;
  bool hasGrammar_;
  std::shared_ptr<const TokenTree> tree_;
  Place place_;
  /** At the start: the text so far. Elsewhere: its last bytes, fewer than the longest mark. */
  std::string text_;
  std::deque<llama_token> forced_;
  int tokens_ = 0;
};
