#include "sampling/token-logprobs.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

std::vector<TokenLogprob> tokenLogprobs(const float* logits, int vocabSize, llama_token sampled,
                                        int top) {
  const float max = *std::max_element(logits, logits + vocabSize);
  double sum = 0;
  for (int id = 0; id < vocabSize; id++) sum += std::exp(static_cast<double>(logits[id] - max));
  const double total = max + std::log(sum);
  const auto describe = [&](llama_token token) {
    return TokenLogprob{token, static_cast<float>(logits[token] - total)};
  };
  std::vector<llama_token> ids(vocabSize);
  std::iota(ids.begin(), ids.end(), 0);
  const auto end = ids.begin() + std::min(top, vocabSize);
  std::partial_sort(ids.begin(), end, ids.end(), [&](llama_token a, llama_token b) {
    return logits[a] > logits[b] || (logits[a] == logits[b] && a < b);
  });
  std::vector<TokenLogprob> described = {describe(sampled)};
  std::transform(ids.begin(), end, std::back_inserter(described), describe);
  return described;
}
