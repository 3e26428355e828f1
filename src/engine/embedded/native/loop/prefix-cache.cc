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
  /** Number of the prompt's first tokens that the slot can reuse. */
  size_t shared = 0;
};

/**
 * Prefers, in this order: a prefix longer by at least `copyGainTokensMin`; a slot with more busy
 * neighbours; a longer prefix; an empty slot; the least recently used one. Neighbours matter
 * because llama.cpp decodes only neighbouring streams in one batch, and a second batch costs time
 * in every step of the reply.
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
    if (slot.state != SlotState::free || memory_.isBeingCopied(slot)) continue;
    const Candidate candidate{&slot, sharedTokens(slot.cached, generation, plan)};
    if (isBetter(slots, candidate, best)) best = candidate;
  }
  const auto& [target, targetShared] = best;
  if (target == nullptr) return nullptr;
  const Source source = findLongest(slots, generation, plan);
  if (source.shared < targetShared + copyGainTokensMin) {
    storeCopy(slots, *target, targetShared);
    memory_.truncate(*target, targetShared);
    return target;
  }
  if (source.slot != nullptr) {
    storeCopy(slots, *target, 0);
    memory_.copyPrefix(*source.slot, *target, source.shared);
  } else {
    StreamCopy copy = remove(source.copy);
    storeCopy(slots, *target, 0, memory_.tokensOf(copy));
    memory_.restore(copy, *target, source.shared);
    // The slot now holds the prefix. The copy stays only if it has enough tokens after the prefix.
    if (copy.cached.size() >= source.shared + copyGainTokensMin) insert(std::move(copy));
  }
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
  memory_.copyPrefix(*source, slot, sourceShared);
}

std::vector<size_t> PrefixCache::checkpointPlaces(const std::vector<Slot>& slots,
                                                  const Generation& generation,
                                                  const PrefillPlan& plan) const {
  const std::vector<llama_token>& prompt = generation.prompt;
  const llama_vocab* vocab = model_.vocab();
  size_t branch = 0;
  for (const Slot& slot : slots) {
    branch = std::max(branch, equalTokens(slot.cached, generation, plan));
  }
  for (const StreamCopy& copy : stored_) {
    branch = std::max(branch, equalTokens(copy.cached, generation, plan));
  }
  const auto endOfMessage = std::find_if(prompt.begin(), prompt.end(), [&](llama_token token) {
    return llama_vocab_is_eog(vocab, token);
  });
  const auto beginOfReply = std::find_if(prompt.rbegin(), prompt.rend(), [&](llama_token token) {
    return llama_vocab_is_control(vocab, token);
  });
  std::vector<size_t> places = {branch, static_cast<size_t>(endOfMessage - prompt.begin()) + 1,
                                static_cast<size_t>(prompt.rend() - beginOfReply)};
  if (places.back() > 0) places.back()--;
  std::sort(places.begin(), places.end());
  std::vector<size_t> chosen;
  for (const size_t place : places) {
    const size_t before = chosen.empty() ? 0 : chosen.back();
    if (place < before + copyGainTokensMin || place >= prompt.size()) continue;
    if (plan.beginAfter(place) == place) chosen.push_back(place);
  }
  return chosen;
}

void PrefixCache::addCheckpoint(Slot& slot) {
  while (!stored_.empty() && model_.isRecurrent() && memory_.lacksRoom(slot)) {
    remove(std::prev(stored_.end()));
  }
  memory_.addCheckpoint(slot);
}

/** Returns the number of the prompt's first tokens that a generation can take from `cached`. */
size_t PrefixCache::sharedTokens(const CachedTokens& cached, const Generation& generation,
                                 const PrefillPlan& plan) const {
  const size_t equal = equalTokens(cached, generation, plan);
  if (equal == 0) return 0;
  const size_t begin = plan.beginAfter(equal);
  if (memory_.canTruncateTo(cached, begin)) return begin;
  const auto& checkpoints = cached.checkpoints;
  for (auto one = checkpoints.rbegin(); one != checkpoints.rend(); one++) {
    const size_t tokens = one->tokens;
    if (tokens <= equal && plan.beginAfter(tokens) == tokens &&
        memory_.canTruncateTo(cached, tokens)) {
      return tokens;
    }
  }
  return 0;
}

size_t PrefixCache::equalTokens(const CachedTokens& cached, const Generation& generation,
                                const PrefillPlan& plan) const {
  if (!model_.canSharePrefixes() || cached.scope != generation.scope) return 0;
  const std::vector<llama_token>& prompt = generation.prompt;
  const size_t limit = std::min(cached.size(), prompt.size());
  const auto end = prompt.begin() + limit;
  const size_t tokens =
      std::mismatch(prompt.begin(), end, cached.tokens.begin()).first - prompt.begin();
  const auto kinds = plan.kinds().begin();
  return std::mismatch(kinds, kinds + tokens, cached.kinds.begin()).first - kinds;
}

/**
 * Stores a copy of the tokens that a slot is about to lose, unless they are too few, too many, or
 * held elsewhere. Makes room first, so that the copies never take more memory than planned.
 */
void PrefixCache::storeCopy(const std::vector<Slot>& slots, Slot& slot, size_t tokensThatStay,
                            size_t tokensInUse) {
  const size_t tokens = slot.cached.size();
  if (!model_.canSharePrefixes() || tokens < tokensThatStay + copyGainTokensMin ||
      tokens > storedTokensMax_ || isHeldElsewhere(slots, slot)) {
    return;
  }
  while (!stored_.empty() && storedTokens_ + tokensInUse + tokens > storedTokensMax_) {
    remove(std::prev(stored_.end()));
  }
  std::optional<StreamCopy> copy = memory_.save(slot, tokensThatStay);
  if (copy.has_value()) insert(*std::move(copy));
}

void PrefixCache::insert(StreamCopy copy) {
  storedTokens_ += memory_.tokensOf(copy);
  stored_.push_front(std::move(copy));
  while (!stored_.empty() && (storedTokens_ > storedTokensMax_ || memory_.isFull())) {
    remove(std::prev(stored_.end()));
  }
}

StreamCopy PrefixCache::remove(StoredPlace place) {
  StreamCopy copy = std::move(*place);
  stored_.erase(place);
  storedTokens_ -= memory_.tokensOf(copy);
  return copy;
}

bool PrefixCache::isHeldElsewhere(const std::vector<Slot>& slots, const Slot& slot) const {
  const auto holds = [&](const CachedTokens& other) {
    return beginsWith(other, slot.cached) && memory_.canTruncateTo(other, slot.cached.size());
  };
  return std::any_of(slots.begin(), slots.end(),
                     [&](const Slot& other) { return &other != &slot && holds(other.cached); }) ||
         std::any_of(stored_.begin(), stored_.end(),
                     [&](const StreamCopy& other) { return holds(other.cached); });
}
