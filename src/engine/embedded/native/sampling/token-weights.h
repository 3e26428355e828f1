#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

// Loops over the logits and weights of a whole vocabulary.

/**
 * Returns e^x for x <= 0 with a relative error of about 1e-7, and 0 below -87. The C library's
 * result differs between machines, and the compiler vectorises this one.
 */
inline float expOfNegative(float x) {
  const float clamped = x < -87.0f ? -87.0f : x;
  const float scaled = clamped * 1.44269504f;
  // Adding and subtracting 1.5 * 2^23 rounds to the nearest integer.
  const float whole = (scaled + 12582912.0f) - 12582912.0f;
  const float part = (clamped - whole * 0.693359375f) + whole * 2.12194440e-4f;
  float power = 1.9875691500e-4f;
  power = power * part + 1.3981999507e-3f;
  power = power * part + 8.3334519073e-3f;
  power = power * part + 4.1665795894e-2f;
  power = power * part + 1.6666665459e-1f;
  power = power * part + 5.0000001201e-1f;
  power = power * part * part + part + 1.0f;
  const int32_t exponent = (static_cast<int32_t>(whole) + 127) * (1 << 23);
  float scale;
  std::memcpy(&scale, &exponent, sizeof scale);
  return x < -87.0f ? 0.0f : power * scale;
}

/** Writes e^(logit - max) for each token, and returns the sum. */
double toWeights(const float* logits, int count, float max, float* weights);
/**
 * Writes e^((logit - max) * scale) for each token, but 0 for logits below `least`. Returns the sum.
 */
double toKeptWeights(const float* logits, int count, float max, float scale, float least,
                     float* weights);
float maxOf(const float* values, int count);
double sumOf(const float* values, int count);

/** Tokens in a run, which is skipped if none of them matters. */
constexpr int runSize = 64;
constexpr int shortRunSize = 16;

/**
 * Returns the first index of the first run, from `start` on, that has a value above `limit`. If no
 * run has one, returns the index after the last whole run.
 */
int nextRunAbove(const float* values, int start, int count, float limit);

/** Tokens of one sum in `drawIndex`. */
constexpr int blockSize = 256;
/** Returns the sum of the weights of a block's tokens whose logit is not below `least`. */
double massFrom(const float* logits, const float* weights, int count, float least);
/** Sets the weights of a block's tokens whose logit is below `least` to 0; returns the sum. */
double keepFrom(const float* logits, int count, float least, float* weights);
/**
 * Returns the index at which the running sum of the weights exceeds `fraction` of their total; -1
 * where the total is not positive and finite. `blockSums` has the sum of each block of weights.
 */
int drawIndex(const std::vector<float>& weights, const std::vector<double>& blockSums, int count,
              double fraction);
