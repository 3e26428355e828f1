#include "loop/prefix-cache.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace {

/**
 * A copy moves or creates a whole stream, so it must save the prefill of at least this many tokens.
 */
constexpr size_t copyGainTokensMin = 64;

int busyNeighbours(const std::vector<Slot>& slots, const Slot& slot) {
  const auto isBusy = [&](size_t index) {
    return index < slots.size() && slots[index].state != SlotState::free;
  };
  const size_t index = slot.sequence;
  return isBusy(index - 1) + isBusy(index + 1);
}

struct Candidate {
  Slot* slot = nullptr;
  /** The number of the prompt's tokens that the slot holds. */
  size_t shared = 0;
};

/**
 * Prefers, in this order: a prefix longer by what a copy must save; a slot beside busy ones,
 * because llama.cpp decodes only neighbouring streams in one batch, and a second batch costs time
 * in every step of the reply; a longer prefix; an empty slot; the least recently used one.
 */
bool isBetter(const std::vector<Slot>& slots, const Candidate& one, const Candidate& other) {
  if (other.slot == nullptr) return true;
  if (one.shared >= other.shared + copyGainTokensMin) return true;
  if (other.shared >= one.shared + copyGainTokensMin) return false;
  const Slot &a = *one.slot, &b = *other.slot;
  const int neighbours = busyNeighbours(slots, a) - busyNeighbours(slots, b);
  if (neighbours != 0) return neighbours > 0;
  if (one.shared != other.shared) return one.shared > other.shared;
  const bool isEmpty = a.cached.size() == 0;
  if (isEmpty != (b.cached.size() == 0)) return isEmpty;
  return isEmpty ? a.sequence < b.sequence : a.lastUsedStep < b.lastUsedStep;
}

bool beginsWith(const CachedTokens& longer, const CachedTokens& shorter) {
  return longer.scope == shorter.scope && longer.size() >= shorter.size() &&
         std::equal(shorter.tokens.begin(), shorter.tokens.end(), longer.tokens.begin()) &&
         std::equal(shorter.kinds.begin(), shorter.kinds.end(), longer.kinds.begin());
}

}  // namespace

Slot* PrefixCache::prepareSlot(std::vector<Slot>& slots, const Generation& generation,
                               const PrefillPlan& plan) {
  Candidate best;
  for (Slot& slot : slots) {
    if (slot.state != SlotState::free) continue;
    const Candidate candidate{&slot, sharedTokens(slot.cached, generation, plan)};
    if (isBetter(slots, candidate, best)) best = candidate;
  }
  const auto& [target, targetShared] = best;
  if (target == nullptr) return nullptr;
  const Source source = findLongest(slots, generation, plan);
  if (source.shared < targetShared + copyGainTokensMin) {
    storeCopy(slots, *target, targetShared);
    truncate(*target, targetShared);
    return target;
  }
  if (source.slot != nullptr) {
    storeCopy(slots, *target, 0);
    copyStream(*source.slot, *target);
  } else {
    Stored copy = remove(source.copy);
    storeCopy(slots, *target, 0);
    restore(copy, *target);
    // The slot holds the prefix from now on; the copy stays only where it holds another
    // continuation.
    if (copy.cached.size() >= source.shared + copyGainTokensMin) insert(std::move(copy));
  }
  truncate(*target, source.shared);
  return target;
}

PrefixCache::Source PrefixCache::findLongest(const std::vector<Slot>& slots,
                                             const Generation& generation,
                                             const PrefillPlan& plan) {
  Source longest;
  for (const Slot& slot : slots) {
    const size_t shared = sharedTokens(slot.cached, generation, plan);
    if (shared > longest.shared) longest = {&slot, stored_.end(), shared};
  }
  for (StoredPlace copy = stored_.begin(); copy != stored_.end(); ++copy) {
    const size_t shared = sharedTokens(copy->cached, generation, plan);
    if (shared > longest.shared) longest = {nullptr, copy, shared};
  }
  return longest;
}

void PrefixCache::copyNewerPrefix(const std::vector<Slot>& slots, Slot& slot) const {
  const Slot* source = nullptr;
  size_t sourceShared = slot.cached.size() + copyGainTokensMin - 1;
  for (const Slot& other : slots) {
    const size_t shared = sharedTokens(other.cached, slot.generation, *slot.plan);
    if (&other == &slot || shared <= sourceShared) continue;
    source = &other;
    sourceShared = shared;
  }
  if (source == nullptr) return;
  copyStream(*source, slot);
  truncate(slot, sourceShared);
}

void PrefixCache::clear(Slot& slot) const {
  llama_memory_seq_rm(model_.memory(), slot.sequence, -1, -1);
  slot.cached = {};
}

size_t PrefixCache::sharedTokens(const CachedTokens& cached, const Generation& generation,
                                 const PrefillPlan& plan) const {
  if (!model_.canSharePrefixes() || cached.scope != generation.scope) return 0;
  const std::vector<llama_token>& prompt = generation.prompt;
  const size_t limit = std::min(cached.size(), prompt.size());
  const auto end = prompt.begin() + limit;
  const size_t tokens =
      std::mismatch(prompt.begin(), end, cached.tokens.begin()).first - prompt.begin();
  const auto kinds = plan.kinds().begin();
  const size_t equal = std::mismatch(kinds, kinds + tokens, cached.kinds.begin()).first - kinds;
  return equal == 0 ? 0 : plan.beginAfter(equal);
}

/** Stores what a slot is about to lose, unless that is too little or held elsewhere. */
void PrefixCache::storeCopy(const std::vector<Slot>& slots, const Slot& slot,
                            size_t tokensThatStay) {
  const size_t tokens = slot.cached.size();
  if (!model_.canSharePrefixes() || tokens < tokensThatStay + copyGainTokensMin ||
      tokens > storedTokensMax_ || isHeldElsewhere(slots, slot)) {
    return;
  }
  llama_context* context = model_.context();
  std::vector<uint8_t> state(llama_state_seq_get_size(context, slot.sequence));
  const size_t written =
      llama_state_seq_get_data(context, state.data(), state.size(), slot.sequence);
  if (written != state.size()) return;
  insert({slot.cached, std::move(state)});
}

void PrefixCache::insert(Stored copy) {
  storedTokens_ += copy.cached.size();
  stored_.push_front(std::move(copy));
  while (storedTokens_ > storedTokensMax_) remove(std::prev(stored_.end()));
}

PrefixCache::Stored PrefixCache::remove(StoredPlace place) {
  Stored copy = std::move(*place);
  stored_.erase(place);
  storedTokens_ -= copy.cached.size();
  return copy;
}

bool PrefixCache::isHeldElsewhere(const std::vector<Slot>& slots, const Slot& slot) const {
  const auto holds = [&](const CachedTokens& other) { return beginsWith(other, slot.cached); };
  return std::any_of(slots.begin(), slots.end(),
                     [&](const Slot& other) { return &other != &slot && holds(other.cached); }) ||
         std::any_of(stored_.begin(), stored_.end(),
                     [&](const Stored& other) { return holds(other.cached); });
}

void PrefixCache::copyStream(const Slot& from, Slot& to) const {
  clear(to);
  llama_memory_seq_cp(model_.memory(), from.sequence, to.sequence, -1, -1);
  to.cached = from.cached;
}

void PrefixCache::restore(const Stored& from, Slot& to) const {
  clear(to);
  const std::vector<uint8_t>& state = from.state;
  if (llama_state_seq_set_data(model_.context(), state.data(), state.size(), to.sequence) == 0) {
    clear(to);
    return;
  }
  to.cached = from.cached;
}

void PrefixCache::truncate(Slot& slot, size_t tokens) const {
  const size_t kept = std::min(tokens, slot.cached.size());
  const auto end = static_cast<llama_pos>(kept);
  if (kept > 0 && llama_memory_seq_rm(model_.memory(), slot.sequence, end, -1)) {
    slot.cached.truncate(kept);
  } else {
    clear(slot);
  }
}
