#pragma once

#include <vector>

#include "llama.h"

struct TokenLogprob {
  llama_token token;
  /** The natural logarithm of the model's probability, before temperature, biases and penalties. */
  float logprob;
};

/**
 * Returns the sampled token, then the `top` most likely tokens in order; of equals the lower id
 * first.
 */
std::vector<TokenLogprob> tokenLogprobs(const float* logits, int vocabSize, llama_token sampled,
                                        int top);
