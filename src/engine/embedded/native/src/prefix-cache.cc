#include "prefix-cache.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace {

/** A copy moves a whole stream or makes a new one, so it must save more prefill than this. */
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
  /** Tokens of the prompt that it holds. */
  size_t shared = 0;
};

/**
 * What holds more of the prompt, if that is worth a copy; else beside busy ones, because only
 * neighbouring streams are decoded in one batch, and a second batch costs every step until the
 * reply ends; then whatever holds a little more, empty ones, those that were not used for longest.
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
  const Slot* source = nullptr;
  size_t sourceShared = 0;
  for (Slot& slot : slots) {
    const size_t shared = sharedTokens(slot.cached, generation, plan);
    const Candidate candidate{&slot, shared};
    if (slot.state == SlotState::free && isBetter(slots, candidate, best)) best = candidate;
    if (shared > sourceShared) {
      source = &slot;
      sourceShared = shared;
    }
  }
  const auto& [target, targetShared] = best;
  if (target == nullptr) return nullptr;
  Place copy = stored_.end();
  for (Place place = stored_.begin(); place != stored_.end(); ++place) {
    const size_t shared = sharedTokens(place->cached, generation, plan);
    if (shared <= sourceShared) continue;
    source = nullptr;
    copy = place;
    sourceShared = shared;
  }
  if (sourceShared < targetShared + copyGainTokensMin) {
    keep(slots, *target, targetShared);
    keepFirst(*target, targetShared);
    return target;
  }
  std::optional<Stored> taken;
  if (copy != stored_.end()) taken = take(copy);
  keep(slots, *target, 0);
  if (taken) {
    restore(*taken, *target);
    // What goes on in the slot is held there; another branch stays.
    if (taken->cached.size() >= sourceShared + copyGainTokensMin) store(std::move(*taken));
  } else {
    copyStream(*source, *target);
  }
  keepFirst(*target, sourceShared);
  return target;
}

void PrefixCache::catchUp(const std::vector<Slot>& slots, Slot& slot) const {
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
  keepFirst(slot, sourceShared);
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

/** Copies what a slot is about to lose, unless that is little or somebody else holds it, too. */
void PrefixCache::keep(const std::vector<Slot>& slots, const Slot& slot, size_t tokensThatStay) {
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
  store({slot.cached, std::move(state)});
}

void PrefixCache::store(Stored copy) {
  storedTokens_ += copy.cached.size();
  stored_.push_front(std::move(copy));
  while (storedTokens_ > storedTokensMax_) take(std::prev(stored_.end()));
}

PrefixCache::Stored PrefixCache::take(Place place) {
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

void PrefixCache::keepFirst(Slot& slot, size_t tokens) const {
  const size_t kept = std::min(tokens, slot.cached.size());
  const auto end = static_cast<llama_pos>(kept);
  if (kept > 0 && llama_memory_seq_rm(model_.memory(), slot.sequence, end, -1)) {
    slot.cached.keepFirst(kept);
  } else {
    clear(slot);
  }
}
