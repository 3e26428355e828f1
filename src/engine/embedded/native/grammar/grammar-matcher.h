#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grammar/closing-costs.h"
#include "grammar/grammar.h"
#include "grammar/token-tree.h"

/** Follows one text through a grammar, in all ways in which the grammar can read it. */
class GrammarMatcher {
 public:
  /** Without costs, `closeWithin` has no effect. */
  GrammarMatcher(std::shared_ptr<const Grammar> grammar, std::shared_ptr<const TokenTree> tree,
                 std::shared_ptr<const ClosingCosts> costs);

  /**
   * From now on admits only tokens after which `tokens` more are enough to complete the text. If
   * there are none, `admitted` returns the tokens after which the text needs the fewest more.
   */
  void closeWithin(int32_t tokens) { closeWithin_ = tokens; }
  /** Returns true if the text can continue or end with the token. */
  bool admits(llama_token token);
  /** Returns true where few bytes can come next, so that `admitted` is fast. */
  bool isNarrow() const;
  /**
   * Returns a non-zero value for each admitted token. May leave out some of them if the grammar is
   * very ambiguous. May include some that lead only to names that the object already has, if
   * finding out took too long for all tokens together.
   */
  const std::vector<char>& admitted();
  /** Returns the bytes that the grammar requires next, at most `bytesMax`. */
  std::string fixedText(size_t bytesMax);
  /** Appends a token that `admits` or `admitted` has admitted. `admits` is the stricter one. */
  void accept(llama_token token);
  /** Returns true where the text is complete and nothing can follow. */
  bool isAtEnd() const { return next_.isComplete && next_.edges.empty(); }
  /** Returns the number of stack frames in memory. */
  size_t frames() const { return frames_.size(); }

 private:
  /** A configuration of the automaton: a state, and the innermost call (-1: none). */
  struct Configuration {
    int32_t state;
    int32_t frame;
    bool operator==(const Configuration& other) const {
      return state == other.state && frame == other.frame;
    }
  };
  /** A stack frame: one call of the automaton. */
  struct Frame {
    int32_t returnTo;
    /** Index of the frame that made this call. */
    int32_t outer;
    /** Index in `keys_` of the object's latest name; -1: no name yet. */
    int32_t keys;
    /** Start in `text_` of the name that this call reads; -1 while it reads no name. */
    int32_t keyBegin;
    /** Number of tokens that suffices to complete the text after this call; 0 without costs. */
    int32_t toClose = 0;
  };
  /** A name in an object: its range in `text_`, and the index of the object's previous name. */
  struct Key {
    int32_t begin;
    int32_t end;
    int32_t before;
  };
  /** Possible next bytes, and the configuration that each of them leads to. */
  struct Next {
    struct Edge {
      uint8_t first;
      uint8_t last;
      Configuration target;
    };
    std::vector<Edge> edges;
    /** True if the text so far is complete: the grammar allows it to end here. */
    bool isComplete = false;
    /** Number of tokens that suffices to complete the text; 0 without costs. */
    int32_t toClose = 0;
    /** Returns true if only one byte can come next and the text cannot end here. */
    bool isFixed() const;
  };

  void readAll(llama_token token);
  bool read(const Next& next, uint8_t byte, Next& after);
  bool readByte(const Next& next, uint8_t byte, Next& after);
  bool leadsOn(const Next& next, int depth);
  bool isWithinUsedName(int32_t frame);
  void expand(const std::vector<Configuration>& configurations, Next& next);
  void returnFrom(int32_t frame, Next& next);
  int32_t toCloseFrom(const Configuration& configuration) const;
  void keepSoonest();
  bool hasKey(int32_t keys, int32_t begin) const;
  int32_t pushFrame(Frame frame);
  void walkTree(int32_t begin, int32_t end, int32_t tokensBegin, size_t depth);
  void rewind();
  void dropReturnedFrames();

  std::shared_ptr<const Grammar> grammar_;
  std::shared_ptr<const TokenTree> tree_;
  /** Null if the text may be cut off. */
  std::shared_ptr<const ClosingCosts> costs_;
  int32_t closeWithin_ = std::numeric_limits<int32_t>::max();
  Next next_;
  // The accepted text with its calls and names. Looking ahead appends to them; `rewind` truncates
  // them.
  std::string text_;
  std::vector<Frame> frames_;
  std::vector<Key> keys_;
  /** The token that was read ahead, or -1. `ahead_[0]` holds the bytes that can follow it. */
  llama_token aheadToken_ = -1;
  size_t acceptedText_ = 0;
  size_t acceptedFrames_ = 0;
  size_t acceptedKeys_ = 0;
  /** Number of frames after the last compaction. */
  size_t keptFrames_ = 0;
  /** Index in `frames_` of the first frame that was pushed for the current byte. */
  size_t framesOfByte_ = 0;

  std::vector<char> admitted_;
  /**
   * Tokens that the grammar admits but `closeWithin_` excludes. Each comes with a number of tokens
   * that suffices to complete the text after it.
   */
  std::vector<std::pair<llama_token, int32_t>> late_;
  /** Work since the last `rewind`, in edges, configurations and compared names. */
  int64_t work_ = 0;
  /** Possible next bytes, indexed by the number of bytes read ahead. */
  std::vector<Next> ahead_;
  // Scratch memory of `read` and `expand`.
  std::vector<Configuration> configurations_;
  std::vector<Configuration> pending_;
};
