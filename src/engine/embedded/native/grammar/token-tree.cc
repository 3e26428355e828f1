#include "grammar/token-tree.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "grammar/least-costs.h"

TokenTree::TokenTree(std::vector<std::string> tokens, std::vector<bool> ends)
    : bytes_(std::move(tokens)), ends_(std::move(ends)), within_(1 << 24) {
  std::vector<llama_token> order(bytes_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](llama_token a, llama_token b) { return bytes_[a] < bytes_[b]; });
  // The nodes from the root to the token that was added last.
  std::vector<int32_t> path;
  std::string text;
  const auto closeTo = [&](size_t length) {
    for (; path.size() > length; path.pop_back()) {
      nodes_[path.back()].next = static_cast<int32_t>(nodes_.size());
    }
  };
  for (const llama_token token : order) {
    const std::string& bytes = bytes_[token];
    if (bytes.empty() || ends_[token]) continue;
    size_t common = 0;
    while (common < bytes.size() && common < text.size() && bytes[common] == text[common]) common++;
    closeTo(common);
    for (size_t index = common; index < bytes.size(); index++) {
      path.push_back(static_cast<int32_t>(nodes_.size()));
      nodes_.push_back(
          {static_cast<uint8_t>(bytes[index]), 0, static_cast<int32_t>(tokens_.size())});
    }
    tokens_.push_back(token);
    tokenBytesMax_ = std::max(tokenBytesMax_, bytes.size());
    for (size_t index = 2; index < bytes.size(); index++)
      within_[placeOf(&bytes[index - 2])] = true;
    nodes_.back().tokensEnd = static_cast<int32_t>(tokens_.size());
    text = bytes;
  }
  closeTo(0);
  roots_.fill(-1);
  const auto end = static_cast<int32_t>(nodes_.size());
  for (int32_t node = 0; node < end; node = nodes_[node].next) roots_[nodes_[node].byte] = node;
}

llama_token TokenTree::longestIn(const std::string& text, size_t begin) const {
  llama_token longest = -1;
  auto end = static_cast<int32_t>(nodes_.size());
  int32_t node = begin < text.size() ? roots_[static_cast<uint8_t>(text[begin])] : -1;
  for (size_t at = begin; node >= 0;) {
    const int32_t tokensBegin = node == 0 ? 0 : nodes_[node - 1].tokensEnd;
    // Takes the last token with these bytes: byte-fallback tokens come before the others.
    if (nodes_[node].tokensEnd > tokensBegin) longest = tokens_[nodes_[node].tokensEnd - 1];
    at++;
    end = nodes_[node].next;
    node++;
    while (at < text.size() && node < end && nodes_[node].byte != static_cast<uint8_t>(text[at])) {
      node = nodes_[node].next;
    }
    if (at >= text.size() || node >= end) break;
  }
  return longest;
}

int32_t TokenTree::countIn(const std::string& text, size_t begin) const {
  int32_t count = 0;
  for (size_t at = begin; at < text.size(); count++) {
    const llama_token token = longestIn(text, at);
    if (token < 0) return unreachableCost;
    at += bytes_[token].size();
  }
  return count;
}
