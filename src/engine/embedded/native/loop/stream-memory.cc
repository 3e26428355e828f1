#include "loop/stream-memory.h"

#include <algorithm>
#include <utility>

namespace {

/** Maximum number per stream: at the end of the system prompt, at branches, at the last turns. */
constexpr size_t checkpointsOfStreamMax = 4;
/**
 * Cells that attention sums in one block. A restored window begins in cell 0. So its tokens are in
 * the same blocks as before only if the window began at a multiple of this size when it was saved.
 */
constexpr size_t blockCells = 64;
/** Saves only what cannot be truncated: recurrent states, and the cells of sliding windows. */
constexpr llama_state_seq_flags partial = LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY;

std::vector<Checkpoint>::const_iterator checkpointAt(const CachedTokens& cached, size_t tokens) {
  return std::find_if(cached.checkpoints.begin(), cached.checkpoints.end(),
                      [&](const Checkpoint& one) {
                        return one.tokens == tokens && one.state != nullptr && !one.state->empty();
                      });
}

}  // namespace

bool StreamMemory::canTruncateTo(const CachedTokens& cached, size_t tokens) const {
  if (tokens == 0 || tokens == cached.size()) return true;
  if (tokens > cached.size()) return false;
  if (!model_.isRecurrent() && coversWindow(cached, tokens)) return true;
  return checkpointAt(cached, tokens) != cached.checkpoints.end();
}

/** Returns true if the stream holds all cells that the token at position `tokens` reads. */
bool StreamMemory::coversWindow(const CachedTokens& cached, size_t tokens) const {
  return cached.windowBegin == 0 || cached.windowBegin + model_.windowTokens() <= tokens;
}

void StreamMemory::truncate(Slot& slot, size_t tokens) const {
  const size_t kept = std::min(tokens, slot.cached.size());
  if (kept == slot.cached.size() && kept > 0) return;
  if (kept == 0 || !canTruncateTo(slot.cached, kept)) return clear(slot);
  if (model_.isRecurrent() || !coversWindow(slot.cached, kept)) {
    const auto checkpoint = checkpointAt(slot.cached, kept);
    if (!writeState(slot, *checkpoint->state)) return clear(slot);
    slot.cached.windowBegin = model_.firstOfWindow(kept);
  }
  const auto end = static_cast<llama_pos>(kept);
  if (!llama_memory_seq_rm(model_.memory(), slot.sequence, end, -1)) return clear(slot);
  slot.cached.truncate(kept);
}

void StreamMemory::clear(Slot& slot) const {
  llama_memory_seq_rm(model_.memory(), slot.sequence, -1, -1);
  slot.cached = {};
}

void StreamMemory::copyPrefix(const Slot& from, Slot& to, size_t tokens) const {
  clear(to);
  llama_context* context = model_.context();
  const bool keepsCells = tokens == from.cached.size() || coversWindow(from.cached, tokens);
  if (model_.isRecurrent() || keepsCells) {
    llama_memory_seq_cp(model_.memory(), from.sequence, to.sequence, -1, -1);
    copied_.push_back(from.sequence);
    copied_.push_back(to.sequence);
  } else {
    // `truncate` below restores the window from a checkpoint. A pending copy of the cells would
    // overwrite it at the next decode, so the stream is copied at once.
    if (isBeingCopied(from) || isBeingCopied(to)) return;
    StateBytes state(llama_state_seq_get_size(context, from.sequence));
    llama_state_seq_get_data(context, state.data(), state.size(), from.sequence);
    if (!llama_state_seq_set_data(context, state.data(), state.size(), to.sequence)) {
      return clear(to);
    }
  }
  to.cached = from.cached;
  truncate(to, tokens);
}

bool StreamMemory::isBeingCopied(const Slot& slot) const {
  return std::find(copied_.begin(), copied_.end(), slot.sequence) != copied_.end();
}

void StreamMemory::addCheckpoint(Slot& slot) const {
  std::vector<Checkpoint>& checkpoints = slot.cached.checkpoints;
  const size_t tokens = slot.cached.size();
  if (!checkpoints.empty() && checkpoints.back().tokens >= tokens) return;
  // Keeps the first checkpoint, which is mostly at the end of the system prompt.
  if (checkpoints.size() >= checkpointsOfStreamMax) checkpoints.erase(checkpoints.begin() + 1);
  std::shared_ptr<const StateBytes> state;
  if (model_.isRecurrent()) {
    state = readState(slot);
    if (state == nullptr) return;
  }
  checkpoints.push_back({tokens, std::move(state)});
}

/** Returns null if the memory for checkpoints is used up or the state cannot be read. */
std::shared_ptr<const StateBytes> StreamMemory::readState(const Slot& slot) const {
  if (lacksRoom(slot)) return nullptr;
  llama_context* context = model_.context();
  StateBytes state(llama_state_seq_get_size_ext(context, slot.sequence, partial));
  const size_t written =
      llama_state_seq_get_data_ext(context, state.data(), state.size(), slot.sequence, partial);
  return written == state.size() ? counted(std::move(state)) : nullptr;
}

bool StreamMemory::lacksRoom(const Slot& slot) const {
  const size_t size = llama_state_seq_get_size_ext(model_.context(), slot.sequence, partial);
  return *bytesUsed_ + size > bytesMax_;
}

std::shared_ptr<const StateBytes> StreamMemory::counted(StateBytes bytes) const {
  *bytesUsed_ += bytes.size();
  return {new StateBytes(std::move(bytes)), [used = bytesUsed_](const StateBytes* freed) {
            *used -= freed->size();
            delete freed;
          }};
}

bool StreamMemory::writeState(const Slot& slot, const StateBytes& state) const {
  return llama_state_seq_set_data_ext(model_.context(), state.data(), state.size(), slot.sequence,
                                      partial) != 0;
}

std::optional<StreamCopy> StreamMemory::save(Slot& slot, size_t tokensThatStay) const {
  if (!model_.isRecurrent() && model_.windowTokens() > 0) {
    const size_t end = alignedEnd(slot.cached.size());
    if (end <= tokensThatStay || !coversWindow(slot.cached, end)) return std::nullopt;
    truncate(slot, end);
  }
  llama_context* context = model_.context();
  StateBytes state(llama_state_seq_get_size(context, slot.sequence));
  if (llama_state_seq_get_data(context, state.data(), state.size(), slot.sequence) !=
      state.size()) {
    return std::nullopt;
  }
  if (model_.isRecurrent()) return StreamCopy{slot.cached, counted(std::move(state))};
  StreamCopy copy{slot.cached, std::make_shared<const StateBytes>(std::move(state))};
  if (model_.windowTokens() > 0) saveWindows(slot, tokensThatStay, copy);
  return copy;
}

/** Adds checkpoints of earlier windows to a copy, which holds only the last window itself. */
void StreamMemory::saveWindows(Slot& slot, size_t tokensThatStay, StreamCopy& copy) const {
  // Goes from the last window to the first: each truncation leaves the cells that the next one
  // needs.
  copy.cached.windowBegin = model_.firstOfWindow(slot.cached.size());
  copy.cached.checkpoints.clear();
  const std::vector<Checkpoint> wanted = slot.cached.checkpoints;
  for (auto one = wanted.rbegin(); one != wanted.rend(); one++) {
    const size_t end = alignedEnd(one->tokens);
    if (end == 0 || end < tokensThatStay || end >= slot.cached.size()) continue;
    if (coversWindow(copy.cached, end) || !coversWindow(slot.cached, end)) continue;
    truncate(slot, end);
    std::shared_ptr<const StateBytes> state = readState(slot);
    if (state == nullptr) break;
    copy.cached.checkpoints.insert(copy.cached.checkpoints.begin(), {end, std::move(state)});
  }
}

void StreamMemory::restore(const StreamCopy& from, Slot& to, size_t tokens) const {
  clear(to);
  const StateBytes& state = *from.state;
  if (llama_state_seq_set_data(model_.context(), state.data(), state.size(), to.sequence) == 0) {
    return clear(to);
  }
  to.cached = from.cached;
  truncate(to, tokens);
}

/** Returns the largest length up to `tokens` whose window can be restored with the same bits. */
size_t StreamMemory::alignedEnd(size_t tokens) const {
  const size_t window = model_.windowTokens();
  return tokens <= window ? tokens : tokens - (tokens - window) % blockCells;
}

size_t StreamMemory::tokensOf(const StreamCopy& copy) const {
  size_t tokens = copy.cached.size();
  if (model_.isRecurrent()) return tokens;
  for (const Checkpoint& one : copy.cached.checkpoints) {
    tokens += std::min(one.tokens, model_.windowTokens());
  }
  return tokens;
}
