#include "prefix-reuse.h"

#include <algorithm>

namespace {

/** A copy moves the whole stream, so it must save more prefill than this. */
constexpr size_t copyGainTokensMin = 128;

/** Empty streams first and the lowest of them, because neighbouring streams decode together. */
bool isBetterToOverwrite(const Slot& a, const Slot& b) {
  if (a.cached.empty() != b.cached.empty()) return a.cached.empty();
  return a.cached.empty() ? a.sequence < b.sequence : a.lastUsedStep < b.lastUsedStep;
}

}  // namespace

Slot* PrefixReuse::prepareSlot(std::vector<Slot>& slots, const Generation& generation) const {
  Slot* target = nullptr;
  size_t targetShared = 0;
  const Slot* source = nullptr;
  size_t sourceShared = 0;
  for (Slot& slot : slots) {
    const size_t shared = sharedTokens(slot, generation);
    if (slot.state == SlotState::free &&
        (target == nullptr || shared > targetShared ||
         (shared == targetShared && isBetterToOverwrite(slot, *target)))) {
      target = &slot;
      targetShared = shared;
    }
    if (shared > sourceShared) {
      source = &slot;
      sourceShared = shared;
    }
  }
  if (target == nullptr) return nullptr;
  if (source != nullptr && sourceShared >= targetShared + copyGainTokensMin) {
    copyStream(*source, *target, sourceShared);
    return target;
  }
  keepFirst(*target, targetShared);
  return target;
}

void PrefixReuse::clear(Slot& slot) const {
  llama_memory_seq_rm(model_.memory(), slot.sequence, -1, -1);
  slot.cached.clear();
  slot.reusableTokens = 0;
  slot.scope.clear();
}

size_t PrefixReuse::sharedTokens(const Slot& slot, const Generation& generation) const {
  if (!model_.canSharePrefixes() || slot.scope != generation.scope) return 0;
  const size_t limit = std::min(slot.reusableTokens, generation.prompt.size() - 1);
  const auto end = slot.cached.begin() + limit;
  const size_t equal = std::mismatch(slot.cached.begin(), end, generation.prompt.begin()).first -
                       slot.cached.begin();
  // Whole chunks only: the same chunks give the same bits, whether they were computed or found.
  return equal - equal % chunkTokens_;
}

void PrefixReuse::copyStream(const Slot& from, Slot& to, size_t tokens) const {
  llama_memory_seq_rm(model_.memory(), to.sequence, -1, -1);
  llama_memory_seq_cp(model_.memory(), from.sequence, to.sequence, -1, -1);
  to.cached = from.cached;
  to.scope = from.scope;
  keepFirst(to, tokens);
}

void PrefixReuse::keepFirst(Slot& slot, size_t tokens) const {
  if (tokens == 0 ||
      !llama_memory_seq_rm(model_.memory(), slot.sequence, static_cast<llama_pos>(tokens), -1)) {
    clear(slot);
    return;
  }
  slot.cached.resize(tokens);
  slot.reusableTokens = tokens;
}
