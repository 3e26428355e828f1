#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "loaded-model.h"
#include "slot.h"

/**
 * Finds the beginnings of prompts among all that was computed before: in the slots' KV streams, and
 * in copies that are kept in memory after a slot was given to somebody else. Only what the same
 * scope computed is found.
 */
class PrefixCache {
 public:
  /** `storedTokensMax`: of all copies together; 0 keeps none. */
  PrefixCache(const LoadedModel& model, size_t storedTokensMax)
      : model_(model), storedTokensMax_(storedTokensMax) {}

  /**
   * A free slot whose stream holds the beginning of the prompt, as much of it as can be had, and
   * nothing else; nullptr when none is free. What has to make room is kept as a copy, where it is
   * worth one; the copies that were not used for longest go.
   */
  Slot* prepareSlot(std::vector<Slot>& slots, const Generation& generation,
                    const PrefillPlan& plan);

  /**
   * Takes over what other slots have computed of the slot's prompt since it was given out: of many
   * requests with one beginning that come together, the first computes it.
   */
  void catchUp(const std::vector<Slot>& slots, Slot& slot) const;

  void clear(Slot& slot) const;

 private:
  struct Stored {
    CachedTokens cached;
    /** As llama_state_seq_get_data writes it. */
    std::vector<uint8_t> state;
  };
  using Place = std::list<Stored>::iterator;

  size_t sharedTokens(const CachedTokens& cached, const Generation& generation,
                      const PrefillPlan& plan) const;
  void keep(const std::vector<Slot>& slots, const Slot& slot, size_t tokensThatStay);
  bool isHeldElsewhere(const std::vector<Slot>& slots, const Slot& slot) const;
  void copyStream(const Slot& from, Slot& to) const;
  void restore(const Stored& from, Slot& to) const;
  void store(Stored copy);
  Stored take(Place place);
  void keepFirst(Slot& slot, size_t tokens) const;

  const LoadedModel& model_;
  const size_t storedTokensMax_;
  size_t storedTokens_ = 0;
  /** The latest used first. */
  std::list<Stored> stored_;
};
