#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grammar/grammar.h"
#include "grammar/token-tree.h"

/** Follows one text through a grammar, in all ways in which the grammar can read it. */
class GrammarMatcher {
 public:
  GrammarMatcher(std::shared_ptr<const Grammar> grammar, std::shared_ptr<const TokenTree> tree);

  /** Returns true where the text can continue, or end, with the token. */
  bool admits(llama_token token);
  /** Returns true where few bytes can come next, so that `admitted` is fast. */
  bool isNarrow() const;
  /**
   * Returns a non-zero value for each token that is admitted. Where the grammar is very ambiguous
   * it may leave out some tokens.
   */
  const std::vector<char>& admitted();
  /** Appends a token that is admitted. */
  void accept(llama_token token);
  /** Returns true where the text is complete and nothing can follow. */
  bool isAtEnd() const { return next_.isComplete && next_.edges.empty(); }

 private:
  /** A configuration of the automaton: a state, and the innermost call (-1: none). */
  struct Configuration {
    int32_t state;
    int32_t frame;
    bool operator==(const Configuration& other) const {
      return state == other.state && frame == other.frame;
    }
  };
  /** A call. */
  struct Frame {
    int32_t returnTo;
    /** The call around this one. */
    int32_t outer;
    /** The last of the object's names so far, an index of `keys_`; -1: none. */
    int32_t keys;
    /** The start in `text_` of the name that this call reads; -1 where it reads none. */
    int32_t keyBegin;
  };
  /** A name in an object, by its place in `text_`, and the object's name before it. */
  struct Key {
    int32_t begin;
    int32_t end;
    int32_t before;
  };
  /** The bytes that can come next, with the configuration that each leads to. */
  struct Next {
    struct Edge {
      uint8_t first;
      uint8_t last;
      Configuration target;
    };
    std::vector<Edge> edges;
    /** The text so far is a complete text of the grammar. */
    bool isComplete = false;
  };

  bool read(const Next& next, uint8_t byte, Next& after);
  void expand(const std::vector<Configuration>& configurations, Next& next);
  void returnFrom(int32_t frame, Next& next);
  bool hasKey(int32_t keys, int32_t begin) const;
  int32_t pushFrame(Frame frame);
  void walkTree(int32_t begin, int32_t end, int32_t tokensBegin, size_t depth);
  void rewind();
  void dropReturnedFrames();

  std::shared_ptr<const Grammar> grammar_;
  std::shared_ptr<const TokenTree> tree_;
  Next next_;
  // The accepted text with its calls and names. Looking ahead appends to them; `rewind` truncates
  // them.
  std::string text_;
  std::vector<Frame> frames_;
  std::vector<Key> keys_;
  /** The token that was looked ahead, for which `ahead_[0]` holds what can follow; -1: none. */
  llama_token aheadToken_ = -1;
  size_t acceptedText_ = 0;
  size_t acceptedFrames_ = 0;
  size_t acceptedKeys_ = 0;
  /** The first frame that was pushed for the current byte. */
  size_t framesOfByte_ = 0;

  std::vector<char> admitted_;
  /** The work of `admitted` so far, in edges and configurations. */
  int64_t work_ = 0;
  /** Indexed by the number of bytes that were looked ahead. */
  std::vector<Next> ahead_;
  // Scratch memory of `read` and `expand`.
  std::vector<Configuration> configurations_;
  std::vector<Configuration> pending_;
};
