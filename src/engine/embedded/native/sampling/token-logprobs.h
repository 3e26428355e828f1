#pragma once

#include <vector>

#include "llama.h"

struct TokenLogprob {
  llama_token token;
  /** The natural logarithm of the model's probability, before temperature, biases and penalties. */
  float logprob;
};

/**
 * Returns the sampled token, then the `top` most likely tokens, the likeliest first. Among equally
 * likely tokens the lower id comes first.
 */
std::vector<TokenLogprob> tokenLogprobs(const float* logits, int vocabSize, llama_token sampled,
                                        int top);
