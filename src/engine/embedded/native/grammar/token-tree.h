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
     * Index in `tokens()` after the last token that ends at this node. The first one is at the
     * `tokensEnd` of the node before.
     */
    int32_t tokensEnd;
  };

  /** Tokens without bytes occur in no text; a token that is true in `ends` ends the text. */
  TokenTree(std::vector<std::string> tokens, std::vector<bool> ends);
  const std::vector<Node>& nodes() const { return nodes_; }
  /** Returns the index of the root node of a byte; -1 if no token begins with this byte. */
  int32_t root(int32_t byte) const { return roots_[byte]; }
  /** Returns the longest token that matches the text at `begin`; -1 if none does. */
  llama_token longestIn(const std::string& text, size_t begin) const;
  /**
   * Returns the number of tokens that spell the text from `begin` on, the longest one at each place;
   * `unreachableCost` if a place has none.
   */
  int32_t countIn(const std::string& text, size_t begin = 0) const;
  /** Tokens, ordered by the node at which each of them ends. */
  const std::vector<llama_token>& tokens() const { return tokens_; }
  const std::string& bytesOf(llama_token token) const { return bytes_[token]; }
  bool ends(llama_token token) const { return ends_[token]; }
  /** Returns the length of the longest token in bytes. */
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
  /** One bit for each sequence of three bytes: true if some token contains it. */
  std::vector<bool> within_;
};
