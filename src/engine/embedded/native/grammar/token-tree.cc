#include "grammar/token-tree.h"

#include <algorithm>
#include <numeric>
#include <utility>

TokenTree::TokenTree(std::vector<std::string> tokens, std::vector<bool> ends)
    : bytes_(std::move(tokens)), ends_(std::move(ends)) {
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
    nodes_.back().tokensEnd = static_cast<int32_t>(tokens_.size());
    text = bytes;
  }
  closeTo(0);
}
