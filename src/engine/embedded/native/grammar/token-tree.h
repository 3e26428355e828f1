#pragma once

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

  /** Tokens without bytes are in no text; a token of `ends` ends the text. */
  TokenTree(std::vector<std::string> tokens, std::vector<bool> ends);
  const std::vector<Node>& nodes() const { return nodes_; }
  /** The tokens in the order of the nodes at which they end. */
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
