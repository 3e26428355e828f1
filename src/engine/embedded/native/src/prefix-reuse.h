#pragma once

#include <vector>

#include "loaded-model.h"
#include "slot.h"

/** Gives out free slots, with as much of the prompt in their KV stream as can be had. */
class PrefixReuse {
 public:
  PrefixReuse(const LoadedModel& model, int chunkTokens) : model_(model), chunkTokens_(chunkTokens) {}

  /**
   * A free slot whose stream holds the first `reusableTokens` tokens of the prompt and nothing
   * else, or nullptr. At least one prompt token is always left to decode.
   */
  Slot* prepareSlot(std::vector<Slot>& slots, const Generation& generation) const;

  void clear(Slot& slot) const;

 private:
  size_t sharedTokens(const Slot& slot, const Generation& generation) const;
  void copyStream(const Slot& from, Slot& to, size_t tokens) const;
  void keepFirst(Slot& slot, size_t tokens) const;

  const LoadedModel& model_;
  const int chunkTokens_;
};
