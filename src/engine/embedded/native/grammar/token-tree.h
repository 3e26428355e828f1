#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "llama.h"

/**
 * A prefix tree (trie) of the bytes of all tokens, so that a common prefix is read once for all of
 * them.
 */
class TokenTree {
 public:
  /** Nodes stand in depth-first order: a node's children follow it. */
  struct Node {
    uint8_t byte;
    /** The index of the next node outside this node's subtree. */
    int32_t next;
    /**
     * The end of the tokens that end at this node; they begin where those of the node before it
     * end.
     */
    int32_t tokensEnd;
  };

  /** Tokens without bytes occur in no text; a token that is true in `ends` ends the text. */
  TokenTree(std::vector<std::string> tokens, std::vector<bool> ends);
  const std::vector<Node>& nodes() const { return nodes_; }
  /** Returns the index of the node of a first byte; -1 where no token begins with it. */
  int32_t root(int32_t byte) const { return roots_[byte]; }
  /** Returns the longest token that the text has at `begin`; -1 where it has none there. */
  llama_token longestIn(const std::string& text, size_t begin) const;
  /** Tokens, ordered by the node at which each of them ends. */
  const std::vector<llama_token>& tokens() const { return tokens_; }
  const std::string& bytesOf(llama_token token) const { return bytes_[token]; }
  bool ends(llama_token token) const { return ends_[token]; }
  /** Returns the bytes of the longest token. */
  size_t tokenBytesMax() const { return tokenBytesMax_; }
  /** Returns true where some token contains these three bytes in a row. */
  bool hasWithin(const char* bytes) const { return within_[placeOf(bytes)]; }
  int size() const { return static_cast<int>(bytes_.size()); }

 private:
  static size_t placeOf(const char* bytes) {
    const auto at = [&](int index) {
      return static_cast<size_t>(static_cast<uint8_t>(bytes[index]));
    };
    return at(0) << 16 | at(1) << 8 | at(2);
  }

  std::vector<std::string> bytes_;
  std::vector<bool> ends_;
  std::vector<Node> nodes_;
  std::array<int32_t, 256> roots_;
  std::vector<llama_token> tokens_;
  size_t tokenBytesMax_ = 0;
  /** One bit for each sequence of three bytes. */
  std::vector<bool> within_;
};
