#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "loop/slot.h"
#include "model/loaded-model.h"

/**
 * Finds prefixes of prompts in the slots' KV streams and in copies of streams that another
 * generation has taken since. A prefix is found only by generations of the scope that computed it.
 */
class PrefixCache {
 public:
  /** `storedTokensMax` limits the tokens of all copies together; 0 keeps no copies. */
  PrefixCache(const LoadedModel& model, size_t storedTokensMax)
      : model_(model), storedTokensMax_(storedTokensMax) {}

  /**
   * Returns a free slot whose stream holds the longest prefix of the prompt that was found, and
   * nothing else; null when no slot is free. Stores a copy of what the slot held, where that is
   * worth one, and evicts the least recently used copies.
   */
  Slot* prepareSlot(std::vector<Slot>& slots, const Generation& generation,
                    const PrefillPlan& plan);

  /**
   * Copies a longer prefix of the slot's prompt that another slot has computed since `prepareSlot`.
   * So of several requests with one prefix that arrive together, only the first computes it.
   */
  void copyNewerPrefix(const std::vector<Slot>& slots, Slot& slot) const;

  /** Removes all tokens of the slot's stream. */
  void clear(Slot& slot) const;

 private:
  struct Stored {
    CachedTokens cached;
    /** The output of llama_state_seq_get_data. */
    std::vector<uint8_t> state;
  };
  using StoredPlace = std::list<Stored>::iterator;
  /** The longest prefix found: in a slot, in a copy, or in neither. */
  struct Source {
    const Slot* slot = nullptr;
    StoredPlace copy;
    size_t shared = 0;
  };

  Source findLongest(const std::vector<Slot>& slots, const Generation& generation,
                     const PrefillPlan& plan);
  size_t sharedTokens(const CachedTokens& cached, const Generation& generation,
                      const PrefillPlan& plan) const;
  void storeCopy(const std::vector<Slot>& slots, const Slot& slot, size_t tokensThatStay);
  bool isHeldElsewhere(const std::vector<Slot>& slots, const Slot& slot) const;
  void copyStream(const Slot& from, Slot& to) const;
  void restore(const Stored& from, Slot& to) const;
  void insert(Stored copy);
  Stored remove(StoredPlace place);
  void truncate(Slot& slot, size_t tokens) const;

  const LoadedModel& model_;
  const size_t storedTokensMax_;
  size_t storedTokens_ = 0;
  /** The copies, most recently used first. */
  std::list<Stored> stored_;
};
