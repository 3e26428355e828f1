#pragma once

#include <vector>

#include "llama.h"

struct TokenLogprob {
  llama_token token;
  /** Natural logarithm of the probability that the model gives, before temperature, biases and penalties. */
  float logprob;
};

/** The sampled token first, then the `top` likeliest, likeliest first; of equals the lower id. */
std::vector<TokenLogprob> tokenLogprobs(const float* logits, int vocabSize, llama_token sampled,
                                        int top);
