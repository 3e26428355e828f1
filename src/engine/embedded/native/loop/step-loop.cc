#include "loop/step-loop.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "model/tokenizer.h"
#include "sampling/token-logprobs.h"

namespace {

/** GGML_FA_TILE_Q of ggml-cpu/common.h. */
constexpr size_t attentionTileRows = 64;
/** The time that prefill may take of a step while other slots decode, and while none does. */
constexpr double prefillSecondsBesideDecoding = 0.008;
constexpr double prefillSecondsAlone = 0.1;
/** A smaller chunk costs nearly as much time as one of this size. */
constexpr size_t chunkRowsMin = 16;

using Clock = std::chrono::steady_clock;
double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool isDecoding(const Slot& slot) { return slot.state == SlotState::decoding; }

}  // namespace

std::shared_ptr<const LoadedModel> StepLoop::load(const ModelSettings& settings) {
  model_ = std::make_shared<LoadedModel>(settings, [this] {
    progress_++;
    return closing_.load(std::memory_order_relaxed);
  });
  model_->checkSanity();
  tokens_ = std::make_shared<TokenTree>(tokenTexts(*model_), model_->endsOfGeneration());
  // Our own attention has one kind of row, and so has llama.cpp's over a quantised cache.
  const bool hasKinds = model_->usesLlamaAttention() && settings.kvType == GGML_TYPE_F16;
  chunkSizes_.tileRows = hasKinds ? attentionTileRows : 0;
  chunkSizes_.rowsMax = settings.prefillChunkTokens;
  threads_ = settings.threads;
  loneRows_ = LoneRowPolicy(hasKinds && threads_ > 1 && model_->canSharePrefixes());
  // A rejected token must be removed from the KV cache, which not every model allows.
  speculativeTokensMax_ = model_->canSharePrefixes()
                              ? std::min(settings.speculativeTokensMax, speculativeTokensLimit)
                              : 0;
  cache_ = std::make_unique<PrefixCache>(*model_, settings.cachedTokensMax);
  for (int sequence = 0; sequence < settings.slots; sequence++) slots_.emplace_back(sequence);
  batch_.emplace(std::max(settings.prefillChunkTokens, 2 * settings.slots));
  return model_;
}

void StepLoop::run() {
  while (takeRequests()) {
    decodeStep();
    prefillStep();
    steps_++;
    progress_++;
    deliverEvents();
  }
  for (Slot& slot : slots_) {
    if (slot.state != SlotState::free) finish(slot, EventKind::aborted);
  }
  for (const Generation& generation : waiting_) emit(generation.id, EventKind::aborted);
  deliverEvents();
}

void StepLoop::submit(Generation generation) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    submitted_.push_back(std::move(generation));
  }
  wake_.notify_one();
}

void StepLoop::abort(GenerationId id) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    abortedIds_.push_back(id);
  }
  wake_.notify_one();
}

void StepLoop::close() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    closing_ = true;
  }
  wake_.notify_one();
}

/**
 * Waits while all slots are free and no request arrives; returns false when the loop is closing.
 */
bool StepLoop::takeRequests() {
  std::vector<GenerationId> abortedIds;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    wake_.wait(lock, [&] {
      return closing_ || slotsBusy_ > 0 || !submitted_.empty() || !abortedIds_.empty();
    });
    std::move(submitted_.begin(), submitted_.end(), std::back_inserter(waiting_));
    submitted_.clear();
    abortedIds.swap(abortedIds_);
  }
  for (const GenerationId id : abortedIds) abortNow(id);
  if (closing_) return false;
  admitWaiting();
  return true;
}

void StepLoop::abortNow(GenerationId id) {
  for (Slot& slot : slots_) {
    if (slot.state != SlotState::free && slot.generation.id == id) {
      finish(slot, EventKind::aborted);
    }
  }
  const auto waiting =
      std::find_if(waiting_.begin(), waiting_.end(),
                   [&](const Generation& generation) { return generation.id == id; });
  if (waiting == waiting_.end()) return;
  emit(id, EventKind::aborted);
  waiting_.erase(waiting);
}

/** Gives slots to waiting generations in their order, as long as slots are free. */
void StepLoop::admitWaiting() {
  while (!waiting_.empty()) {
    const Generation& next = waiting_.front();
    if (!isValid(next)) {
      emit(next.id, EventKind::failed);
      waiting_.pop_front();
      continue;
    }
    PrefillPlan plan(next.prompt.size(), next.replies, chunkSizes_);
    Slot* slot = cache_->prepareSlot(slots_, next, plan);
    if (slot == nullptr) return;
    occupy(*slot, std::move(waiting_.front()), std::move(plan));
    waiting_.pop_front();
  }
}

/** Callers check this too; an invalid prompt would fail an assertion of llama.cpp. */
bool StepLoop::isValid(const Generation& generation) const {
  const std::vector<llama_token>& prompt = generation.prompt;
  const std::vector<TokenSpan>& replies = generation.replies;
  return !prompt.empty() && prompt.size() < static_cast<size_t>(model_->contextTokens()) &&
         std::all_of(
             prompt.begin(), prompt.end(),
             [&](llama_token token) { return token >= 0 && token < model_->vocabSize(); }) &&
         std::all_of(replies.begin(), replies.end(), [&](const TokenSpan& reply) {
           return reply.first < reply.second && reply.second <= prompt.size();
         });
}

void StepLoop::occupy(Slot& slot, Generation next, PrefillPlan plan) {
  slot.generation = std::move(next);
  Generation& generation = slot.generation;
  const int tokensLeft = model_->contextTokens() - static_cast<int>(generation.prompt.size());
  generation.maxTokens = std::max(1, std::min(generation.maxTokens, tokensLeft));
  slot.state = SlotState::admitted;
  slot.cached.scope = generation.scope;
  slot.plan.emplace(std::move(plan));
  slot.lookup = {};
  if (generation.grammar == nullptr) {
    slot.sampler.emplace(generation.sampling, model_->vocabSize());
  } else {
    slot.sampler.emplace(generation.sampling, generation.grammar, tokens_);
  }
  slot.sampledTokens = 0;
  slot.admittedOrder = ++admissions_;
  slotsBusy_++;
}

void StepLoop::decodeStep() {
  const auto decoding = std::count_if(slots_.begin(), slots_.end(), isDecoding);
  if (decoding == 0) return;
  const Clock::time_point start = Clock::now();
  batch_->clear();
  for (Slot& slot : slots_) {
    if (isDecoding(slot)) addDecodeRows(slot, decoding == 1);
  }
  const int rows = batch_->rows();
  const bool isOnOneThread =
      decoding == 1 && rows == 1 && loneRows_.differsAlone(batch_->position(0) + 1);
  if (isOnOneThread) llama_set_n_threads(model_->context(), 1, threads_);
  const bool isDecoded = batch_->decode(model_->context());
  if (isOnOneThread) llama_set_n_threads(model_->context(), threads_, threads_);
  if (isDecoded && decoding == 1) loneRows_.record(rows, secondsSince(start), isOnOneThread);
  for (Slot& slot : slots_) {
    if (!isDecoding(slot)) continue;
    if (isDecoded) {
      sampleDecodedRows(slot);
    } else {
      fail(slot);
    }
  }
}

/**
 * Adds a row for the token that was sampled last and, where only this slot decodes, rows for
 * speculative tokens: llama.cpp decodes sequences one after the other when their numbers of rows
 * differ.
 */
void StepLoop::addDecodeRows(Slot& slot, bool isAlone) {
  slot.batchRow = batch_->rows();
  slot.tokensBefore = slot.cached.size();
  slot.speculative.clear();
  slot.speculativeRows = 0;
  const int max =
      std::min(speculativeTokensMax_, slot.generation.maxTokens - slot.sampledTokens - 1);
  const bool differsAlone = needsSecondRow(slot);
  if (isAlone && max > 0) {
    const double plainSeconds = loneRows_.loneStepSeconds(differsAlone);
    slot.speculativeRows = slot.lookup.bestCount(loneRows_.cost(), plainSeconds, max);
    // At least one token is proposed, even without a row, to measure the acceptance rate.
    const int wanted = std::max(slot.speculativeRows, 1);
    slot.speculative = PromptLookup::propose(slot.cached.tokens, slot.nextToken, wanted);
  }
  addRow(slot, slot.nextToken, RowKind::single, true);
  const bool addsSecondRow = differsAlone && !(isAlone && loneRows_.prefersOneThread());
  if (addsSecondRow && slot.speculativeRows == 0) slot.speculativeRows = 1;
  slot.speculativeRows = std::min(slot.speculativeRows, static_cast<int>(slot.speculative.size()));
  for (int index = 0; index < slot.speculativeRows; index++) {
    addRow(slot, slot.speculative[index], RowKind::single, true);
  }
  if (addsSecondRow && slot.speculativeRows == 0) {
    addRow(slot, slot.nextToken, RowKind::single, false);
  }
}

/**
 * Returns true where the slot's row differs when it is decoded alone, and no neighbouring slot
 * decodes: llama.cpp decodes only neighbouring streams in one batch.
 */
bool StepLoop::needsSecondRow(const Slot& slot) const {
  if (!loneRows_.differsAlone(slot.cached.size() + 1)) return false;
  const auto decodes = [&](llama_seq_id sequence) {
    return sequence >= 0 && sequence < static_cast<llama_seq_id>(slots_.size()) &&
           isDecoding(slots_[sequence]);
  };
  return !decodes(slot.sequence - 1) && !decodes(slot.sequence + 1);
}

/** Samples the slot's rows up to the first speculative token that the sampler does not choose. */
void StepLoop::sampleDecodedRows(Slot& slot) {
  const size_t count = slot.speculative.size();
  size_t accepted = 0;
  while (sampleRow(slot, slot.batchRow + static_cast<int>(accepted)) && accepted < count) {
    const bool isAccepted = slot.speculative[accepted] == slot.nextToken;
    slot.lookup.record(isAccepted);
    if (!isAccepted || accepted == static_cast<size_t>(slot.speculativeRows)) break;
    accepted++;
  }
  // Keeps the tokens from before the step, the one it decoded, and the accepted ones.
  truncate(slot, slot.tokensBefore + 1 + accepted);
}

/** Removes rejected tokens and second rows from the KV cache. */
void StepLoop::truncate(Slot& slot, size_t tokens) {
  if (slot.cached.size() <= tokens) return;
  slot.cached.truncate(tokens);
  llama_memory_seq_rm(model_->memory(), slot.sequence, static_cast<llama_pos>(tokens), -1);
}

/**
 * Decodes chunks of prompts until the step's time is used up. A chunk is a decode of its own with
 * rows of one kind, so that its bits depend on the prompt alone and not on the decoding slots.
 */
void StepLoop::prefillStep() {
  for (size_t budget = prefillBudget(); budget >= chunkRowsMin;) {
    Slot* slot = nextToPrefill();
    if (slot == nullptr) return;
    if (slot->state == SlotState::admitted) startPrefill(*slot);
    budget -= std::min(budget, prefillChunk(*slot, budget));
  }
}

void StepLoop::startPrefill(Slot& slot) {
  slot.state = SlotState::prefilling;
  cache_->copyNewerPrefix(slots_, slot);
  emit(slot.generation.id, EventKind::started, static_cast<int32_t>(slot.cached.size()));
}

/** Returns the number of prompt tokens that this step may compute. */
size_t StepLoop::prefillBudget() const {
  const bool hasDecoding = std::any_of(slots_.begin(), slots_.end(), isDecoding);
  const double seconds = hasDecoding ? prefillSecondsBesideDecoding : prefillSecondsAlone;
  const double rows = secondsPerPromptToken_ > 0 ? seconds / secondsPerPromptToken_ : 0;
  return std::clamp(static_cast<size_t>(std::min(rows, 1e6)), attentionTileRows,
                    chunkSizes_.rowsMax);
}

/** Returns the slot that was admitted first; null when no prompt is left to compute. */
Slot* StepLoop::nextToPrefill() {
  Slot* first = nullptr;
  for (Slot& slot : slots_) {
    if (slot.state != SlotState::admitted && slot.state != SlotState::prefilling) continue;
    if (first == nullptr || slot.admittedOrder < first->admittedOrder) first = &slot;
  }
  return first;
}

/** Returns the number of rows that it computed. */
size_t StepLoop::prefillChunk(Slot& slot, size_t rowsWanted) {
  const std::vector<llama_token>& prompt = slot.generation.prompt;
  const size_t begin = slot.cached.size();
  const size_t end = slot.plan->chunkEnd(begin, rowsWanted);
  const Clock::time_point start = Clock::now();
  batch_->clear();
  for (size_t index = begin; index < end; index++) {
    addRow(slot, prompt[index], slot.plan->kinds()[index], index + 1 == prompt.size());
  }
  if (end - begin == 1 && loneRows_.differsAlone(end)) {
    addRow(slot, prompt[begin], RowKind::single, false);
  }
  if (!batch_->decode(model_->context())) {
    fail(slot);
    return end - begin;
  }
  truncate(slot, end);
  const double seconds = secondsSince(start) / static_cast<double>(end - begin);
  double& average = secondsPerPromptToken_;
  average = average > 0 ? 0.8 * average + 0.2 * seconds : seconds;
  if (end == prompt.size()) {
    slot.state = SlotState::decoding;
    sampleRow(slot, static_cast<int>(end - begin) - 1);
  }
  return end - begin;
}

void StepLoop::addRow(Slot& slot, llama_token token, RowKind kind, bool needsLogits) {
  batch_->add(slot.sequence, static_cast<llama_pos>(slot.cached.size()), token, needsLogits);
  slot.cached.add(token, kind);
}

/** Returns false when the generation has ended. */
bool StepLoop::sampleRow(Slot& slot, int row) {
  const float* logits = llama_get_logits_ith(model_->context(), row);
  const llama_token token = logits == nullptr ? -1 : slot.sampler->sample(logits);
  if (token < 0) {
    fail(slot);
    return false;
  }
  slot.nextToken = token;
  slot.sampledTokens++;
  if (slot.generation.topLogprobs.has_value()) emitLogprobs(slot, logits, token);
  emit(slot.generation.id, EventKind::token, token);
  if (model_->endsGeneration(token) || slot.sampler->isAtEnd()) {
    finish(slot, EventKind::stop);
  } else if (slot.sampledTokens >= slot.generation.maxTokens) {
    finish(slot, EventKind::length);
  }
  return isDecoding(slot);
}

void StepLoop::emitLogprobs(const Slot& slot, const float* logits, llama_token token) {
  const int top = *slot.generation.topLogprobs;
  for (const auto& [candidate, logprob] : tokenLogprobs(logits, model_->vocabSize(), token, top)) {
    emit(slot.generation.id, EventKind::logprob, candidate, logprob);
  }
}

void StepLoop::finish(Slot& slot, EventKind kind) {
  emit(slot.generation.id, kind);
  slot.state = SlotState::free;
  slot.lastUsedStep = steps_;
  slot.sampler.reset();
  slot.plan.reset();
  slotsBusy_--;
}

/** Ends a generation after a failed decode, which leaves unknown contents in its stream. */
void StepLoop::fail(Slot& slot) {
  finish(slot, EventKind::failed);
  cache_->clear(slot);
}

void StepLoop::emit(GenerationId id, EventKind kind, int32_t value, float logprob) {
  events_.push_back({id, kind, value, logprob});
}

void StepLoop::deliverEvents() {
  if (!events_.empty()) deliver_(std::exchange(events_, {}));
}
