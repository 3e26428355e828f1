#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "loop/slot.h"
#include "model/loaded-model.h"

/** A copy of the KV stream of a conversation whose slot was given to another conversation. */
struct StreamCopy {
  CachedTokens cached;
  /** The output of llama_state_seq_get_data. */
  std::shared_ptr<const StateBytes> state;
};

/**
 * Truncates, copies and restores KV streams. Most models can go back to any token. A recurrent
 * state cannot go back at all, and a copy of a sliding window lacks the cells before it; both go
 * back to a checkpoint, as in llama-server.
 */
class StreamMemory {
 public:
  /** `checkpointBytesMax` limits all checkpoints and copies of recurrent states together. */
  StreamMemory(const LoadedModel& model, size_t checkpointBytesMax)
      : model_(model), bytesMax_(checkpointBytesMax), bytesUsed_(std::make_shared<size_t>(0)) {}

  /** Returns true if a stream with these contents can be truncated to its first `tokens` tokens. */
  bool canTruncateTo(const CachedTokens& cached, size_t tokens) const;
  /** Keeps the first `tokens` tokens; removes all tokens if that is not possible. */
  void truncate(Slot& slot, size_t tokens) const;
  /** Removes all tokens of the slot's stream. */
  void clear(Slot& slot) const;
  /**
   * Copies the first tokens of a stream. llama.cpp copies the cells only at the next decode; until
   * then, `isBeingCopied` is true for both slots, and nothing may be written to their streams.
   */
  void copyPrefix(const Slot& from, Slot& to, size_t tokens) const;
  bool isBeingCopied(const Slot& slot) const;
  /** Call it after every decode. */
  void finishCopies() const { copied_.clear(); }

  /**
   * Adds a checkpoint after the tokens that the slot holds. Drops an earlier one where the slot has
   * too many; does nothing where the memory is used up.
   */
  void addCheckpoint(Slot& slot) const;

  /**
   * Returns a copy of the slot's stream; nothing if it cannot be read. The slot may lose tokens
   * after the first `tokensThatStay`.
   */
  std::optional<StreamCopy> save(Slot& slot, size_t tokensThatStay) const;
  /** Puts the first tokens of a copy into the slot's stream. */
  void restore(const StreamCopy& from, Slot& to, size_t tokens) const;

  /** Returns the size of a copy in tokens: a checkpoint of a window counts its cells. */
  size_t tokensOf(const StreamCopy& copy) const;
  /** Returns true where the checkpoints and the copies of recurrent states take too much memory. */
  bool isFull() const { return *bytesUsed_ > bytesMax_; }
  /**
   * Returns true where one more checkpoint of this slot would exceed the memory for checkpoints.
   */
  bool lacksRoom(const Slot& slot) const;

 private:
  std::shared_ptr<const StateBytes> counted(StateBytes bytes) const;
  std::shared_ptr<const StateBytes> readState(const Slot& slot) const;
  bool writeState(const Slot& slot, const StateBytes& state) const;
  void saveWindows(Slot& slot, size_t tokensThatStay, StreamCopy& copy) const;
  bool coversWindow(const CachedTokens& cached, size_t tokens) const;
  size_t alignedEnd(size_t tokens) const;

  const LoadedModel& model_;
  const size_t bytesMax_;
  /**
   * Bytes of all checkpoints and copies of recurrent states. Each subtracts its size when it is
   * freed.
   */
  std::shared_ptr<size_t> bytesUsed_;
  /** Streams that the next decode copies cells from or to. */
  mutable std::vector<llama_seq_id> copied_;
};
