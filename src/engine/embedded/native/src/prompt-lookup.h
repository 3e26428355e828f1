#pragma once

#include <array>
#include <vector>

#include "llama.h"

constexpr int guessesMost = 16;

/**
 * How long a decode takes by its number of rows: the least of late, because whatever else the
 * machine does only adds.
 */
class StepCost {
 public:
  void add(int rows, double seconds);
  /** In seconds; what was not seen yet is put rather low, so that it is tried. */
  double of(int rows) const;
  bool knows(int rows) const { return seconds_[rows] > 0; }

 private:
  /** 0: not seen. */
  std::array<double, guessesMost + 2> seconds_{};
};

/**
 * Guesses what comes next in one generation by what followed the same few tokens before, in the
 * prompt or in the reply (prompt lookup decoding, Saxena 2023). The guesses are decoded as further
 * rows and kept as far as the sampler says the same, so they change the speed of a reply only.
 */
class PromptLookup {
 public:
  /**
   * What followed the latest earlier place of the last tokens of `tokens` and `next`; at most
   * `most` tokens, none when there is no such place.
   */
  static std::vector<llama_token> guess(const std::vector<llama_token>& tokens, llama_token next,
                                        int most);

  /**
   * How many guesses are worth their rows, from 0 to `most`, where a step without any takes
   * `noGuessSeconds`.
   */
  int guessesThatPay(const StepCost& cost, double noGuessSeconds, int most) const;

  /** One guess was right or wrong; those after a wrong one are neither. */
  void learn(bool wasRight);

 private:
  /** Begins undecided, as one right and one wrong guess would leave it. */
  double right_ = 1;
  double made_ = 2;
};
