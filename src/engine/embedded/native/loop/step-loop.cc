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
/** Time for prefill in each step: while other slots decode, and while none does. */
constexpr double prefillSecondsBesideDecoding = 0.008;
constexpr double prefillSecondsAlone = 0.03;

using Clock = std::chrono::steady_clock;
double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool isDecoding(const Slot& slot) { return slot.state == SlotState::decoding; }

}  // namespace

std::shared_ptr<const LoadedModel> StepLoop::load(const ModelSettings& settings) {
  const auto shouldStop = [this] {
    progress_++;
    return closing_.load(std::memory_order_relaxed);
  };
  const auto onLoaded = [this](float share) { loadedShare_ = share; };
  model_ = LoadedModel::open(settings, shouldStop, onLoaded);
  tokens_ = std::make_shared<TokenTree>(tokenTexts(*model_), model_->endsOfGeneration());
  // Our own attention has one kind of row, and so has llama.cpp's over a quantised cache.
  const bool hasKinds = model_->usesLlamaAttention() && settings.kvType == GGML_TYPE_F16;
  chunkSizes_.tileRows = hasKinds ? attentionTileRows : 0;
  chunkSizes_.rowsMax = settings.prefillChunkTokens;
  threads_ = settings.threads;
  // A second row and a rejected token must be removed again, which not every model allows.
  canRemoveRows_ = model_->canSharePrefixes() && !model_->isRecurrent();
  loneRows_ = LoneRowPolicy(hasKinds && threads_ > 1 && canRemoveRows_);
  speculativeTokensMax_ =
      canRemoveRows_ ? std::min(settings.speculativeTokensMax, speculativeTokensLimit) : 0;
  cache_ =
      std::make_unique<PrefixCache>(*model_, settings.cachedTokensMax, settings.checkpointBytesMax);
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

void StepLoop::readMarks(const std::vector<llama_token>& tokens) {
  auto tree = std::make_shared<TokenTree>(tokenTexts(*model_, tokens), model_->endsOfGeneration());
  std::lock_guard<std::mutex> lock(mutex_);
  tokens_ = std::move(tree);
}

int32_t StepLoop::submit(Generation generation) {
  const int tokensLeft = model_->contextTokens() - static_cast<int>(generation.prompt.size());
  generation.maxTokens = std::max(1, std::min(generation.maxTokens, tokensLeft));
  // Runs on the caller's thread, so that the steps of the other slots do not wait.
  const int32_t tokensEnough = generation.prepareToClose(closings_, *tokens_);
  if (tokensEnough > 0) return tokensEnough;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    submitted_.push_back(std::move(generation));
  }
  wake_.notify_one();
  return 0;
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
      return closing_ || slotsBusy_ > 0 || !waiting_.empty() || !submitted_.empty() ||
             !abortedIds_.empty();
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
    if (!next.isValid(model_->contextTokens(), model_->vocabSize())) {
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

void StepLoop::occupy(Slot& slot, Generation next, PrefillPlan plan) {
  slot.generation = std::move(next);
  const Generation& generation = slot.generation;
  slot.state = SlotState::admitted;
  slot.cached.scope = generation.scope;
  slot.plan.emplace(std::move(plan));
  slot.lookupRate = {};
  slot.fixedRate = {};
  slot.marks.clear();
  if (generation.grammar == nullptr) {
    slot.sampler.emplace(generation.sampling, tokens_);
  } else {
    slot.sampler.emplace(generation.sampling, generation.grammar, tokens_, generation.closingCosts);
  }
  if (generation.thoughts.has_value()) slot.sampler->guideThoughts(*generation.thoughts);
  slot.sampledTokens = 0;
  slot.admittedOrder = ++admissions_;
  slotsBusy_++;
}

bool StepLoop::decodeBatch() {
  const bool isDecoded = batch_->decode(model_->context());
  cache_->finishCopies();
  return isDecoded;
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
  const Clock::time_point start = Clock::now();
  for (bool isFirst = true; Slot* slot = prefillOrder_.next(slots_); isFirst = false) {
    const size_t rows = prefillRows(secondsSince(start), isFirst);
    if (rows == 0) return;
    // Delivers the tokens sampled before this chunk, so that callers need not wait for it.
    deliverEvents();
    if (slot->state == SlotState::admitted) startPrefill(*slot);
    prefillOrder_.record(prefillChunk(*slot, rows));
  }
}

void StepLoop::startPrefill(Slot& slot) {
  slot.state = SlotState::prefilling;
  cache_->copyNewerPrefix(slots_, slot);
  // A copy that failed has cleared the slot.
  slot.cached.scope = slot.generation.scope;
  if (model_->needsCheckpoints()) {
    slot.marks = cache_->checkpointPlaces(slots_, slot.generation, *slot.plan);
  }
  emit(slot.generation.id, EventKind::started, static_cast<int32_t>(slot.cached.size()));
}

/** Returns the rows that the next chunk of this step may have; 0 when the step's time is used up. */
size_t StepLoop::prefillRows(double secondsUsed, bool isFirst) const {
  const bool hasDecoding = std::any_of(slots_.begin(), slots_.end(), isDecoding);
  const double seconds = hasDecoding ? prefillSecondsBesideDecoding : prefillSecondsAlone;
  const size_t rows = prefillSpeed_.rowsWithin(seconds - secondsUsed);
  if (!isFirst && rows < PrefillOrder::chunkRowsMin) return 0;
  return std::min(isFirst ? std::max(rows, attentionTileRows) : rows, chunkSizes_.rowsMax);
}

/** Computes one chunk, and returns its number of rows. */
size_t StepLoop::prefillChunk(Slot& slot, size_t rowsWanted) {
  const std::vector<llama_token>& prompt = slot.generation.prompt;
  const size_t begin = slot.cached.size();
  const size_t end = slot.plan->chunkEnd(begin, rowsWanted, slot.marks);
  const Clock::time_point start = Clock::now();
  batch_->clear();
  for (size_t index = begin; index < end; index++) {
    addRow(slot, prompt[index], slot.plan->kinds()[index], index + 1 == prompt.size());
  }
  if (end - begin == 1 && loneRows_.differsAlone(end)) {
    addRow(slot, prompt[begin], RowKind::single, false);
  }
  if (!decodeBatch()) {
    fail(slot);
    return end - begin;
  }
  truncate(slot, end);
  if (std::find(slot.marks.begin(), slot.marks.end(), end) != slot.marks.end()) {
    cache_->addCheckpoint(slot);
  }
  prefillSpeed_.record(end - begin, secondsSince(start));
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

/** Samples a token from a row; returns false when the generation has ended. */
bool StepLoop::sampleRow(Slot& slot, int row) {
  float* const logits = llama_get_logits_ith(model_->context(), row);
  if (logits != nullptr) model_->suppressTokens(logits);
  const int tokensLeft = slot.generation.maxTokens - slot.sampledTokens - 1;
  const llama_token token = logits == nullptr ? -1 : slot.sampler->sample(logits, tokensLeft);
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
