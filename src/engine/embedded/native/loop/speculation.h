#pragma once

#include <array>
#include <vector>

#include "llama.h"

constexpr int speculativeTokensLimit = 16;

/**
 * The time of a decode by its number of rows. It keeps the shortest recent time, because other load
 * on the machine only adds to it.
 */
class StepCost {
 public:
  void add(int rows, double seconds);
  /**
   * Returns the time in seconds. An unmeasured number of rows gets a low estimate, so that it is
   * tried.
   */
  double seconds(int rows) const;
  bool isKnown(int rows) const { return seconds_[rows] > 0; }

 private:
  /** Indexed by number of rows; 0 where none was measured. */
  std::array<double, speculativeTokensLimit + 2> seconds_{};
};

/**
 * Proposes tokens by prompt lookup decoding (Saxena, 2023). Finds the latest earlier occurrence of
 * the last tokens, `next` included, and returns at most `count` tokens that followed it; none if
 * there is no such occurrence.
 */
std::vector<llama_token> lookUpInPrompt(const std::vector<llama_token>& tokens, llama_token next,
                                        int count);

/**
 * The share of speculative tokens of one source that the sampler chose. Speculative tokens are
 * decoded as further rows of a step and accepted while the sampler chooses the same ones, so they
 * change only the speed of a reply.
 */
class AcceptanceRate {
 public:
  /**
   * Returns the number of speculative tokens, from 0 to `max`, with the highest expected speed.
   * `plainSeconds` is the time of a step without any.
   */
  int bestCount(const StepCost& cost, double plainSeconds, int max) const;

  /** Counts one speculative token. Call it up to and including the first rejected one. */
  void record(bool isAccepted);

 private:
  /** Decaying counts. They start as if one token had been accepted and one rejected. */
  double accepted_ = 1;
  double proposed_ = 2;
};
