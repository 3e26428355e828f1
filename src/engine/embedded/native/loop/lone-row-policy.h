#pragma once

#include <algorithm>
#include <cstddef>

#include "loop/speculation.h"

/**
 * Keeps the bits of a row that is decoded alone equal to those of the same row beside others. With
 * several threads, llama.cpp's flash attention splits a lone row of a long sequence between them
 * and sums it in another order (docs/decisions/0005). Such a row gets a second row beside it, or
 * the step runs on one thread, whichever has been faster.
 */
class LoneRowPolicy {
 public:
  /** `differs` is false where attention never splits a row. */
  explicit LoneRowPolicy(bool differs = false) : differs_(differs) {}

  /**
   * Returns true where the last token of a sequence of this length has other bits when decoded
   * alone.
   */
  bool differsAlone(size_t tokens) const { return differs_ && tokens >= splitTokensMin; }

  /**
   * Returns true where a step on one thread is faster than one with a second row. A time that was
   * not measured yet counts as faster, so that it is measured.
   */
  bool prefersOneThread() const {
    return !oneThreadCost_.isKnown(1) || oneThreadCost_.seconds(1) < cost_.seconds(2);
  }

  /** Returns the time of a step of one row without speculative tokens. */
  double loneStepSeconds(bool differsAlone) const;

  /** Returns the times of steps on all threads. */
  const StepCost& cost() const { return cost_; }

  void record(int rows, double seconds, bool isOnOneThread) {
    (isOnOneThread ? oneThreadCost_ : cost_).add(rows, seconds);
  }

 private:
  /** Shorter sequences have at most 256 cells to read, which attention never splits. */
  static constexpr size_t splitTokensMin = 255;

  bool differs_;
  StepCost cost_;
  StepCost oneThreadCost_;
};

inline double LoneRowPolicy::loneStepSeconds(bool differsAlone) const {
  // An unmeasured time counts as low here too; otherwise speculation would always seem to pay.
  if (!differsAlone || !oneThreadCost_.isKnown(1)) return cost_.seconds(1);
  return std::min(oneThreadCost_.seconds(1), cost_.seconds(2));
}
