#include "step-loop.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <iterator>
#include <utility>

#include "token-logprobs.h"
#include "tokenizer.h"

namespace {

/** Shorter sequences are added up in one way only: the cells that are looked at are 256 or less. */
constexpr size_t loneRowTokensMin = 255;
/** GGML_FA_TILE_Q of ggml-cpu/common.h. */
constexpr size_t attentionTileRows = 64;
/** What a prompt may take of a step, when somebody waits for the next token and when nobody does. */
constexpr double prefillSecondsBesideDecoding = 0.008;
constexpr double prefillSecondsAlone = 0.1;
/** A chunk that is smaller than this costs nearly as much. */
constexpr size_t chunkRowsMin = 16;

using Clock = std::chrono::steady_clock;
double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

StepLoop::~StepLoop() {
  if (batch_.token != nullptr) llama_batch_free(batch_);
}

std::shared_ptr<const LoadedModel> StepLoop::load(const ModelSettings& settings) {
  model_ = std::make_shared<LoadedModel>(settings, [this] {
    counters_.progress++;
    return closing_.load(std::memory_order_relaxed);
  });
  model_->checkSanity();
  tokens_ = std::make_shared<TokenTree>(tokenTexts(*model_), model_->endsOfGeneration());
  // Our own attention knows no kinds, and llama.cpp reads a quantised cache row by row.
  const bool hasKinds = model_->hasForeignAttention() && settings.kvType == GGML_TYPE_F16;
  chunkSizes_.tileRows = hasKinds ? attentionTileRows : 0;
  chunkSizes_.rowsMax = settings.prefillChunkTokens;
  threads_ = settings.threads;
  loneRowsDiffer_ = hasKinds && threads_ > 1 && model_->canSharePrefixes();
  // A wrong guess is taken out of the KV cache again.
  guessesMax_ =
      model_->canSharePrefixes() ? std::min(settings.guessedTokensMax, guessesMost) : 0;
  cache_ = std::make_unique<PrefixCache>(*model_, settings.cachedTokensMax);
  for (int sequence = 0; sequence < settings.slots; sequence++) slots_.emplace_back(sequence);
  batch_ = llama_batch_init(std::max(settings.prefillChunkTokens, 2 * settings.slots), 0, 1);
  return model_;
}

void StepLoop::run() {
  while (takeRequests()) {
    decodeStep();
    prefillStep();
    counters_.steps++;
    counters_.progress++;
    if (!events_.empty()) deliver_(std::exchange(events_, {}));
  }
  for (Slot& slot : slots_) {
    if (slot.state != SlotState::free) finish(slot, EventKind::aborted);
  }
  for (const Generation& generation : waiting_) emit(generation.id, EventKind::aborted, 0);
  if (!events_.empty()) deliver_(std::exchange(events_, {}));
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

/** Waits while there is nothing to do; false when closing. */
bool StepLoop::takeRequests() {
  std::vector<GenerationId> abortedIds;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    wake_.wait(lock, [&] {
      return closing_ || isBusy() || !submitted_.empty() || !abortedIds_.empty();
    });
    std::move(submitted_.begin(), submitted_.end(), std::back_inserter(waiting_));
    submitted_.clear();
    abortedIds.swap(abortedIds_);
  }
  for (const GenerationId id : abortedIds) {
    for (Slot& slot : slots_) {
      if (slot.state != SlotState::free && slot.generation.id == id) {
        finish(slot, EventKind::aborted);
      }
    }
    const auto waiting = std::find_if(waiting_.begin(), waiting_.end(),
                                      [&](const Generation& one) { return one.id == id; });
    if (waiting != waiting_.end()) {
      emit(id, EventKind::aborted, 0);
      waiting_.erase(waiting);
    }
  }
  if (closing_) return false;
  admit();
  return true;
}

void StepLoop::admit() {
  const size_t contextTokens = model_->contextTokens();
  while (!waiting_.empty()) {
    const Generation& next = waiting_.front();
    const bool tokensExist = std::all_of(next.prompt.begin(), next.prompt.end(), [&](llama_token token) {
      return token >= 0 && token < model_->vocabSize();
    });
    const auto& replies = next.replies;
    const bool repliesFit =
        std::all_of(replies.begin(), replies.end(), [&](const TokenSpan& reply) {
          return reply.first < reply.second && reply.second <= next.prompt.size();
        });
    // Callers have checked this; here it would end in an assertion of llama.cpp.
    if (next.prompt.empty() || next.prompt.size() >= contextTokens || !tokensExist || !repliesFit) {
      emit(next.id, EventKind::failed, 0);
      waiting_.pop_front();
      continue;
    }
    PrefillPlan plan(next.prompt.size(), next.replies, chunkSizes_);
    Slot* slot = cache_->prepareSlot(slots_, next, plan);
    if (slot == nullptr) break;
    slot->generation = std::move(waiting_.front());
    waiting_.pop_front();
    Generation& generation = slot->generation;
    const int room = static_cast<int>(contextTokens - generation.prompt.size());
    generation.maxTokens = std::max(1, std::min(generation.maxTokens, room));
    slot->state = SlotState::prefilling;
    slot->cached.scope = generation.scope;
    slot->plan.emplace(std::move(plan));
    slot->lookup = {};
    if (generation.grammar == nullptr) {
      slot->sampler.emplace(generation.sampling, model_->vocabSize());
    } else {
      slot->sampler.emplace(generation.sampling, generation.grammar, tokens_);
    }
    slot->sampledTokens = 0;
    slot->admittedOrder = ++admissions_;
    slot->isUntouched = true;
    counters_.slotsBusy++;
  }
}

void StepLoop::decodeStep() {
  const auto decodes = [](const Slot& slot) { return slot.state == SlotState::decoding; };
  const auto decoding = std::count_if(slots_.begin(), slots_.end(), decodes);
  if (decoding == 0) return;
  const Clock::time_point start = Clock::now();
  batch_.n_tokens = 0;
  for (Slot& slot : slots_) {
    if (decodes(slot)) addDecodeRows(slot, decoding == 1);
  }
  const bool isOnOneThread =
      decoding == 1 && batch_.n_tokens == 1 && differsAlone(batch_.pos[0] + 1);
  if (isOnOneThread) llama_set_n_threads(model_->context(), 1, threads_);
  const bool decoded = decodeBatch();
  if (isOnOneThread) llama_set_n_threads(model_->context(), threads_, threads_);
  if (decoded && decoding == 1) {
    (isOnOneThread ? oneThreadCost_ : stepCost_).add(batch_.n_tokens, secondsSince(start));
  }
  for (Slot& slot : slots_) {
    if (!decodes(slot)) continue;
    if (decoded) {
      takeDecoded(slot);
    } else {
      fail(slot);
    }
  }
}

/**
 * The token that was sampled last, and behind it those that are guessed to follow. Guesses are for
 * one slot alone: rows in different numbers are decoded one sequence after the other.
 */
void StepLoop::addDecodeRows(Slot& slot, bool isAlone) {
  slot.batchRow = batch_.n_tokens;
  slot.tokensBefore = slot.cached.size();
  slot.guessed.clear();
  slot.guessedRows = 0;
  const int most = std::min(guessesMax_, slot.generation.maxTokens - slot.sampledTokens - 1);
  const bool isTooLonely = needsCompany(slot);
  if (isAlone && most > 0) {
    slot.guessedRows = slot.lookup.guessesThatPay(stepCost_, loneStepSeconds(isTooLonely), most);
    // The first guess is made in any case: it shows whether guessing would pay.
    const int wanted = std::max(slot.guessedRows, 1);
    slot.guessed = PromptLookup::guess(slot.cached.tokens, slot.nextToken, wanted);
  }
  addRow(slot, slot.nextToken, RowKind::single, true);
  const bool wantsCompany = isTooLonely && !(isAlone && oneThreadPays());
  if (wantsCompany && slot.guessedRows == 0) slot.guessedRows = 1;
  slot.guessedRows = std::min(slot.guessedRows, static_cast<int>(slot.guessed.size()));
  for (int guess = 0; guess < slot.guessedRows; guess++) {
    addRow(slot, slot.guessed[guess], RowKind::single, true);
  }
  if (wantsCompany && slot.guessedRows == 0) addRow(slot, slot.nextToken, RowKind::single, false);
}

/**
 * Flash attention on several threads adds up a lone row of a long sequence in another order than
 * rows that come together. Neighbouring slots decode together; one that has no neighbour gets a
 * second row, or one thread where that is faster, so that its bits do not tell who else decodes.
 */
bool StepLoop::needsCompany(const Slot& slot) const {
  if (!differsAlone(slot.cached.size() + 1)) return false;
  const auto decodes = [&](llama_seq_id sequence) {
    return sequence >= 0 && sequence < static_cast<llama_seq_id>(slots_.size()) &&
           slots_[sequence].state == SlotState::decoding;
  };
  return !decodes(slot.sequence - 1) && !decodes(slot.sequence + 1);
}

/** Whether the last of so many tokens does. */
bool StepLoop::differsAlone(size_t tokens) const {
  return loneRowsDiffer_ && tokens >= loneRowTokensMin;
}

/** A further row is dear where a model is small, a missing thread where it is large. */
bool StepLoop::oneThreadPays() const {
  return !oneThreadCost_.knows(1) || oneThreadCost_.of(1) < stepCost_.of(2);
}

double StepLoop::loneStepSeconds(bool isTooLonely) const {
  // What was not seen yet is put low here, too: else any guess would seem to pay, for good.
  if (!isTooLonely || !oneThreadCost_.knows(1)) return stepCost_.of(1);
  return std::min(oneThreadCost_.of(1), stepCost_.of(2));
}

/** Samples the slot's rows, as far as each guess was what the row before it says. */
void StepLoop::takeDecoded(Slot& slot) {
  const size_t guessesCount = slot.guessed.size();
  size_t right = 0;
  while (sampleRow(slot, slot.batchRow + static_cast<int>(right)) && right < guessesCount) {
    const bool wasRight = slot.guessed[right] == slot.nextToken;
    slot.lookup.learn(wasRight);
    if (!wasRight || right == static_cast<size_t>(slot.guessedRows)) break;
    right++;
  }
  // As many tokens as were known before this step, the sampled one, and the guesses that held.
  trim(slot, slot.tokensBefore + 1 + right);
}

/** Takes what was decoded in vain out of the KV cache. */
void StepLoop::trim(Slot& slot, size_t tokens) {
  if (slot.cached.size() <= tokens) return;
  slot.cached.keepFirst(tokens);
  llama_memory_seq_rm(model_->memory(), slot.sequence, static_cast<llama_pos>(tokens), -1);
}

/**
 * A chunk is a decode of its own, and its rows are of one kind: so their bits depend on the prompt
 * alone, and not on who decodes beside it.
 */
void StepLoop::prefillStep() {
  for (size_t budget = prefillBudget(); budget >= chunkRowsMin;) {
    Slot* slot = nextToPrefill();
    if (slot == nullptr) return;
    if (slot->isUntouched) begin(*slot);
    budget -= std::min(budget, prefillChunk(*slot, budget));
  }
}

void StepLoop::begin(Slot& slot) {
  slot.isUntouched = false;
  cache_->catchUp(slots_, slot);
  const size_t found = slot.cached.size();
  counters_.reusedTokens += found;
  emit(slot.generation.id, EventKind::started, static_cast<int32_t>(found));
}

/** In tokens. */
size_t StepLoop::prefillBudget() const {
  const bool isWaitedFor = std::any_of(slots_.begin(), slots_.end(), [](const Slot& slot) {
    return slot.state == SlotState::decoding;
  });
  const double seconds = isWaitedFor ? prefillSecondsBesideDecoding : prefillSecondsAlone;
  const double rows = secondsPerPromptToken_ > 0 ? seconds / secondsPerPromptToken_ : 0;
  return std::clamp(static_cast<size_t>(std::min(rows, 1e6)), attentionTileRows,
                    chunkSizes_.rowsMax);
}

Slot* StepLoop::nextToPrefill() {
  Slot* first = nullptr;
  for (Slot& slot : slots_) {
    if (slot.state != SlotState::prefilling) continue;
    if (first == nullptr || slot.admittedOrder < first->admittedOrder) first = &slot;
  }
  return first;
}

/** Returns the rows it took. */
size_t StepLoop::prefillChunk(Slot& slot, size_t rowsWanted) {
  const std::vector<llama_token>& prompt = slot.generation.prompt;
  const size_t begin = slot.cached.size();
  const size_t end = slot.plan->chunkEnd(begin, rowsWanted);
  const Clock::time_point start = Clock::now();
  batch_.n_tokens = 0;
  for (size_t index = begin; index < end; index++) {
    addRow(slot, prompt[index], slot.plan->kinds()[index], index + 1 == prompt.size());
  }
  if (end - begin == 1 && differsAlone(end)) addRow(slot, prompt[begin], RowKind::single, false);
  if (!decodeBatch()) {
    fail(slot);
    return end - begin;
  }
  trim(slot, end);
  const double seconds = secondsSince(start) / static_cast<double>(end - begin);
  double& average = secondsPerPromptToken_;
  average = average > 0 ? 0.8 * average + 0.2 * seconds : seconds;
  counters_.promptTokens += end - begin;
  if (end == prompt.size()) {
    slot.state = SlotState::decoding;
    sampleRow(slot, static_cast<int>(end - begin) - 1);
  }
  return end - begin;
}

void StepLoop::addRow(Slot& slot, llama_token token, RowKind kind, bool wantsLogits) {
  const int row = batch_.n_tokens++;
  batch_.token[row] = token;
  batch_.pos[row] = static_cast<llama_pos>(slot.cached.size());
  batch_.n_seq_id[row] = 1;
  batch_.seq_id[row][0] = slot.sequence;
  batch_.logits[row] = wantsLogits;
  slot.cached.add(token, kind);
}

bool StepLoop::decodeBatch() {
  try {
    return llama_decode(model_->context(), batch_) == 0;
  } catch (const std::exception&) {
    return false;
  }
}

/** False when the generation is at its end. */
bool StepLoop::sampleRow(Slot& slot, int row) {
  const float* logits = llama_get_logits_ith(model_->context(), row);
  const llama_token token = logits == nullptr ? -1 : slot.sampler->sample(logits);
  if (token < 0) {
    fail(slot);
    return false;
  }
  slot.nextToken = token;
  slot.sampledTokens++;
  counters_.completionTokens++;
  if (slot.generation.topLogprobs >= 0) emitLogprobs(slot, logits, token);
  emit(slot.generation.id, EventKind::token, token);
  if (model_->endsGeneration(token) || slot.sampler->isAtEnd()) {
    finish(slot, EventKind::stop);
  } else if (slot.sampledTokens >= slot.generation.maxTokens) {
    finish(slot, EventKind::length);
  }
  return slot.state == SlotState::decoding;
}

void StepLoop::emitLogprobs(const Slot& slot, const float* logits, llama_token token) {
  const int top = slot.generation.topLogprobs;
  for (const auto& [candidate, logprob] : tokenLogprobs(logits, model_->vocabSize(), token, top)) {
    int32_t bits;
    std::memcpy(&bits, &logprob, sizeof bits);
    emit(slot.generation.id, EventKind::candidate, candidate);
    emit(slot.generation.id, EventKind::logprob, bits);
  }
}

void StepLoop::finish(Slot& slot, EventKind kind) {
  emit(slot.generation.id, kind, slot.sampledTokens);
  slot.state = SlotState::free;
  slot.lastUsedStep = counters_.steps;
  slot.sampler.reset();
  slot.plan.reset();
  counters_.slotsBusy--;
}

/** What a failed decode left in the stream is unknown, so nothing of it is kept. */
void StepLoop::fail(Slot& slot) {
  finish(slot, EventKind::failed);
  cache_->clear(slot);
}

void StepLoop::emit(GenerationId id, EventKind kind, int32_t value) {
  events_.push_back(id);
  events_.push_back(static_cast<int32_t>(kind));
  events_.push_back(value);
}
