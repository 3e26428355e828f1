#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "loop/slot.h"

/**
 * Chooses the prompt whose next chunk is computed: the one that was admitted first. After each of
 * its chunks, short prompts overtake it with a limited number of rows. So they do not wait for all
 * of a long prompt, and even many of them delay it only a little.
 */
class PrefillOrder {
 public:
  /** A smaller chunk costs nearly as much time as one of this size. */
  static constexpr size_t chunkRowsMin = 16;

  /** Returns null when no prompt is left to compute. */
  Slot* next(std::vector<Slot>& slots) {
    Slot* first = nullptr;
    Slot* firstShort = nullptr;
    for (Slot& slot : slots) {
      if (slot.state != SlotState::admitted && slot.state != SlotState::prefilling) continue;
      if (isBefore(slot, first)) first = &slot;
      if (rowsLeft(slot) <= shortRowsMax && isBefore(slot, firstShort)) firstShort = &slot;
    }
    overtakes_ = overtakingRows_ > 0 && firstShort != nullptr && firstShort != first;
    return overtakes_ ? firstShort : first;
  }

  /** Counts the rows of the chunk that was chosen last. */
  void record(size_t rows) {
    if (overtakes_) {
      overtakingRows_ -= std::min(overtakingRows_, std::max(rows, chunkRowsMin));
    } else {
      overtakingRows_ = overtakingRowsPerRow * rows;
    }
  }

 private:
  /**
   * A prompt is short if it has at most this many rows left. With a higher value, prompts that
   * share a long prefix would be computed side by side, instead of one after the other with a copy
   * of the prefix.
   */
  static constexpr size_t shortRowsMax = 128;
  /** Rows of short prompts that may be computed for each row of the first prompt. */
  static constexpr size_t overtakingRowsPerRow = 3;

  static size_t rowsLeft(const Slot& slot) {
    return slot.generation.prompt.size() - slot.cached.size();
  }
  static bool isBefore(const Slot& slot, const Slot* other) {
    return other == nullptr || slot.admittedOrder < other->admittedOrder;
  }

  /** True if the prompt that was chosen last overtook the first one. */
  bool overtakes_ = false;
  /** Rows that short prompts may use before the first prompt gets its next chunk. */
  size_t overtakingRows_ = 0;
};
