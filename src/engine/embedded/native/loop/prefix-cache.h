#pragma once

#include <list>
#include <vector>

#include "loop/slot.h"
#include "loop/stream-memory.h"
#include "model/loaded-model.h"

/**
 * Finds prefixes of prompts in the slots' KV streams, and in copies of streams whose slots were
 * given to other generations. A generation finds only prefixes that its own scope computed.
 */
class PrefixCache {
 public:
  /** `storedTokensMax` limits the tokens of all copies together; 0 keeps no copies. */
  PrefixCache(const LoadedModel& model, size_t storedTokensMax, size_t checkpointBytesMax)
      : model_(model), memory_(model, checkpointBytesMax), storedTokensMax_(storedTokensMax) {}

  /**
   * Returns a free slot whose stream holds a cached prefix of the prompt and nothing else: the
   * longest one, unless a slightly shorter one is cheaper. Returns null if every slot is busy or
   * being copied. Before the slot loses tokens that are worth keeping, stores a copy of them, and
   * evicts the least recently used copies to make room.
   */
  Slot* prepareSlot(std::vector<Slot>& slots, const Generation& generation,
                    const PrefillPlan& plan);

  /**
   * Copies a longer prefix of the slot's prompt that another slot has computed since `prepareSlot`.
   * So if several requests with the same prefix arrive together, only the first computes it.
   */
  void copyNewerPrefix(const std::vector<Slot>& slots, Slot& slot) const;

  /** Call it after every decode: the decode has completed the copies between streams. */
  void finishCopies() const { memory_.finishCopies(); }

  /** Removes all tokens of the slot's stream. */
  void clear(Slot& slot) const { memory_.clear(slot); }

  /**
   * Returns the positions at which a checkpoint is likely to be used, ascending: where the prompt
   * first differs from all cached ones, the end of the first message, and the start of the last.
   */
  std::vector<size_t> checkpointPlaces(const std::vector<Slot>& slots, const Generation& generation,
                                       const PrefillPlan& plan) const;
  /** Adds a checkpoint after the slot's tokens. Evicts copies of recurrent states to make room. */
  void addCheckpoint(Slot& slot);

 private:
  using StoredPlace = std::list<StreamCopy>::iterator;
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
  size_t equalTokens(const CachedTokens& cached, const Generation& generation,
                     const PrefillPlan& plan) const;
  /** @param tokensInUse tokens of a removed copy that is still in memory */
  void storeCopy(const std::vector<Slot>& slots, Slot& slot, size_t tokensThatStay,
                 size_t tokensInUse = 0);
  bool isHeldElsewhere(const std::vector<Slot>& slots, const Slot& slot) const;
  void insert(StreamCopy copy);
  StreamCopy remove(StoredPlace place);

  const LoadedModel& model_;
  const StreamMemory memory_;
  const size_t storedTokensMax_;
  size_t storedTokens_ = 0;
  /** The copies, most recently used first. */
  std::list<StreamCopy> stored_;
};
