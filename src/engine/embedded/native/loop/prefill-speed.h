#pragma once

#include <algorithm>
#include <cstddef>

/** Measures how many rows of prompts are computed in a given time. */
class PrefillSpeed {
 public:
  /** @param chunkRowsMin a smaller chunk costs nearly as much time as one of this size */
  explicit PrefillSpeed(size_t chunkRowsMin) : chunkRowsMin_(chunkRowsMin) {}

  void record(size_t rows, double seconds) {
    const double last = seconds / static_cast<double>(std::max(rows, chunkRowsMin_));
    secondsPerRow_ = secondsPerRow_ > 0 ? 0.8 * secondsPerRow_ + 0.2 * last : last;
  }

  /** Returns how many rows fit into this time, at most a million; 0 without a measurement. */
  size_t rowsWithin(double seconds) const {
    if (secondsPerRow_ <= 0 || seconds <= 0) return 0;
    return static_cast<size_t>(std::min(seconds / secondsPerRow_, 1e6));
  }

 private:
  size_t chunkRowsMin_;
  /** A moving average; 0 before the first measurement. */
  double secondsPerRow_ = 0;
};
