#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "llama.h"

/** A language of bytes: automata that call each other. `engine/grammar/grammar.ts` makes them. */
class Grammar {
 public:
  enum class Kind : int32_t { bytes = 0, skip = 1, call = 2, key = 3, end = 4 };
  struct Edge {
    Kind kind;
    /** The first and the last byte; of a call the state that it begins at. */
    int32_t a;
    int32_t b;
    int32_t to;
  };

  /** Throws std::runtime_error for numbers that are none. */
  Grammar(const int32_t* numbers, size_t count);
  int32_t start() const { return start_; }
  const Edge* begin(int32_t state) const { return edges_.data() + (state == 0 ? 0 : ends_[state - 1]); }
  const Edge* end(int32_t state) const { return edges_.data() + ends_[state]; }

 private:
  int32_t start_;
  std::vector<int32_t> ends_;
  std::vector<Edge> edges_;
};

/** The bytes of all tokens as a tree, so that what begins alike is looked at once. */
class TokenTree {
 public:
  struct Node {
    uint8_t byte;
    /** Where the next node that does not begin with this one stands. */
    int32_t next;
    /** Those that end here: from the node before it on. */
    int32_t tokensEnd;
  };

  /** Tokens without bytes are in no text; those of `ends` end one. */
  TokenTree(std::vector<std::string> tokens, std::vector<bool> ends);
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<llama_token>& tokens() const { return tokens_; }
  const std::string& bytesOf(llama_token token) const { return bytes_[token]; }
  bool ends(llama_token token) const { return ends_[token]; }
  int size() const { return static_cast<int>(bytes_.size()); }

 private:
  std::vector<std::string> bytes_;
  std::vector<bool> ends_;
  std::vector<Node> nodes_;
  std::vector<llama_token> tokens_;
};

/** How far one text of the grammar has come, in all the ways in which it can be read. */
class GrammarMatcher {
 public:
  GrammarMatcher(std::shared_ptr<const Grammar> grammar, std::shared_ptr<const TokenTree> tree);

  /** Whether the text may go on with the token, or end with it. */
  bool admits(llama_token token);
  /** Few tokens are admitted, so `admitted` is quick. */
  bool isNarrow() const;
  /** One for each token: whether it is admitted. In a hard case some that could be are left out. */
  const std::vector<char>& admitted();
  /** Of a token that is admitted. */
  void accept(llama_token token);
  /** The text is whole, and nothing can follow. */
  bool isAtEnd() const { return open_.isWhole && open_.edges.empty(); }

 private:
  /** A place in the grammar, and the calls that it is within. */
  struct Place {
    int32_t state;
    int32_t frame;
    bool operator==(const Place& other) const { return state == other.state && frame == other.frame; }
  };
  /** A call: where it returns to, within which, and what its keys are. */
  struct Frame {
    int32_t returnTo;
    int32_t outer;
    int32_t keys;
    /** Where the key begins that is being read; -1: it is no key. */
    int32_t keyBegin;
  };
  /** A key that an object has already, and the one before it. */
  struct Key {
    int32_t begin;
    int32_t end;
    int32_t before;
  };
  /** What can be read next. */
  struct Open {
    struct Next {
      uint8_t first;
      uint8_t last;
      Place place;
    };
    std::vector<Next> edges;
    bool isWhole = false;
  };

  bool read(const Open& open, uint8_t byte, Open& after);
  void expand(const std::vector<Place>& places, Open& open);
  void leave(int32_t frame, Open& open);
  bool hasKey(int32_t keys, int32_t begin) const;
  int32_t enter(Frame frame);
  void walk(int32_t begin, int32_t end, int32_t tokensBegin, size_t depth);
  void rewind();
  void dropFrames();

  std::shared_ptr<const Grammar> grammar_;
  std::shared_ptr<const TokenTree> tree_;
  Open open_;
  /** What was accepted; looking ahead adds to these three and takes it away again. */
  std::string text_;
  std::vector<Frame> frames_;
  std::vector<Key> keys_;
  /** The token that they have more by, and `ahead_[0]` what can follow it; -1: they have no more. */
  llama_token lookedAt_ = -1;
  size_t textKept_ = 0;
  size_t framesKept_ = 0;
  size_t keysKept_ = 0;
  size_t framesOfByte_ = 0;

  std::vector<char> admitted_;
  int64_t work_ = 0;
  std::vector<Open> ahead_;
  std::vector<Place> places_;
  std::vector<Place> todo_;
};
