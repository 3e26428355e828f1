#include "step-loop.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace {

/** Shorter sequences are added up in one way only: the cells that are looked at are 256 or less. */
constexpr size_t loneRowTokensMin = 255;

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
  chunkTokens_ = settings.prefillChunkTokens;
  loneRowsDiffer_ = settings.flashAttention && settings.threads > 1 && model_->canSharePrefixes();
  reuse_ = std::make_unique<PrefixReuse>(*model_, chunkTokens_);
  for (int sequence = 0; sequence < settings.slots; sequence++) slots_.emplace_back(sequence);
  batch_ = llama_batch_init(std::max(chunkTokens_, 2 * settings.slots), 0, 1);
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
    // Callers have checked this; here it would end in an assertion of llama.cpp.
    if (next.prompt.empty() || next.prompt.size() >= contextTokens || !tokensExist) {
      emit(next.id, EventKind::failed, 0);
      waiting_.pop_front();
      continue;
    }
    Slot* slot = reuse_->prepareSlot(slots_, next);
    if (slot == nullptr) break;
    slot->generation = std::move(waiting_.front());
    waiting_.pop_front();
    Generation& generation = slot->generation;
    const int room = static_cast<int>(contextTokens - generation.prompt.size());
    generation.maxTokens = std::max(1, std::min(generation.maxTokens, room));
    slot->state = SlotState::prefilling;
    slot->scope = generation.scope;
    slot->sampler.emplace(generation.sampling, model_->vocabSize());
    slot->sampledTokens = 0;
    slot->admittedOrder = ++admissions_;
    const size_t reused = slot->reusableTokens;
    counters_.slotsBusy++;
    counters_.reusedTokens += reused;
    emit(generation.id, EventKind::started, static_cast<int32_t>(reused));
  }
}

void StepLoop::decodeStep() {
  batch_.n_tokens = 0;
  for (Slot& slot : slots_) {
    if (slot.state != SlotState::decoding) continue;
    addRow(slot, slot.nextToken, true);
    if (needsCompany(slot)) addCompany(slot);
  }
  if (batch_.n_tokens == 0) return;
  const bool decoded = decodeBatch();
  for (Slot& slot : slots_) {
    if (slot.state == SlotState::decoding && slot.hasCompany) removeCompany(slot);
  }
  for (Slot& slot : slots_) {
    if (slot.state != SlotState::decoding) continue;
    if (decoded) {
      sampleNext(slot);
    } else {
      fail(slot);
    }
  }
}

/**
 * Flash attention on several threads adds up a lone row of a long sequence in another order than
 * rows that come together. Neighbouring slots decode together; one that has no neighbour gets a
 * second row, so that its bits do not tell who else decodes.
 */
bool StepLoop::needsCompany(const Slot& slot) const {
  if (!loneRowsDiffer_ || slot.cached.size() < loneRowTokensMin) return false;
  const auto decodes = [&](llama_seq_id sequence) {
    return sequence >= 0 && sequence < static_cast<llama_seq_id>(slots_.size()) &&
           slots_[sequence].state == SlotState::decoding;
  };
  return !decodes(slot.sequence - 1) && !decodes(slot.sequence + 1);
}

void StepLoop::addCompany(Slot& slot) {
  const int row = slot.batchRow;
  addRow(slot, slot.nextToken, false);
  slot.batchRow = row;
  slot.hasCompany = true;
}

void StepLoop::removeCompany(Slot& slot) {
  slot.hasCompany = false;
  slot.cached.pop_back();
  llama_memory_seq_rm(model_->memory(), slot.sequence, static_cast<llama_pos>(slot.cached.size()), -1);
}

/**
 * One chunk's worth of prompts a step. A chunk is a decode of its own and always begins at a
 * multiple of its size: so its bits depend on the prompt alone, and not on who decodes beside it.
 */
void StepLoop::prefillStep() {
  int budget = chunkTokens_;
  while (budget > 0) {
    Slot* slot = nextToPrefill();
    if (slot == nullptr) return;
    if (prefillChunk(*slot)) budget -= batch_.n_tokens;
  }
}

Slot* StepLoop::nextToPrefill() {
  Slot* first = nullptr;
  for (Slot& slot : slots_) {
    if (slot.state != SlotState::prefilling) continue;
    if (first == nullptr || slot.admittedOrder < first->admittedOrder) first = &slot;
  }
  return first;
}

bool StepLoop::prefillChunk(Slot& slot) {
  const std::vector<llama_token>& prompt = slot.generation.prompt;
  const size_t start = slot.cached.size();
  const size_t end = std::min(start + chunkTokens_, prompt.size());
  batch_.n_tokens = 0;
  for (size_t index = start; index < end; index++) {
    addRow(slot, prompt[index], index + 1 == prompt.size());
  }
  if (!decodeBatch()) {
    fail(slot);
    return false;
  }
  counters_.promptTokens += end - start;
  slot.reusableTokens = end;
  if (end == prompt.size()) {
    slot.state = SlotState::decoding;
    sampleNext(slot);
  }
  return true;
}

void StepLoop::addRow(Slot& slot, llama_token token, bool wantsLogits) {
  const int row = batch_.n_tokens++;
  batch_.token[row] = token;
  batch_.pos[row] = static_cast<llama_pos>(slot.cached.size());
  batch_.n_seq_id[row] = 1;
  batch_.seq_id[row][0] = slot.sequence;
  batch_.logits[row] = wantsLogits;
  slot.batchRow = row;
  slot.cached.push_back(token);
}

bool StepLoop::decodeBatch() {
  try {
    return llama_decode(model_->context(), batch_) == 0;
  } catch (const std::exception&) {
    return false;
  }
}

void StepLoop::sampleNext(Slot& slot) {
  const float* logits = llama_get_logits_ith(model_->context(), slot.batchRow);
  const llama_token token = logits == nullptr ? -1 : slot.sampler->sample(logits);
  if (token < 0) {
    fail(slot);
    return;
  }
  slot.nextToken = token;
  slot.sampledTokens++;
  counters_.completionTokens++;
  emit(slot.generation.id, EventKind::token, token);
  if (model_->endsGeneration(token)) {
    finish(slot, EventKind::stop);
  } else if (slot.sampledTokens >= slot.generation.maxTokens) {
    finish(slot, EventKind::length);
  }
}

void StepLoop::finish(Slot& slot, EventKind kind) {
  emit(slot.generation.id, kind, slot.sampledTokens);
  slot.state = SlotState::free;
  slot.lastUsedStep = counters_.steps;
  slot.sampler.reset();
  counters_.slotsBusy--;
}

/** What a failed decode left in the stream is unknown, so nothing of it is kept. */
void StepLoop::fail(Slot& slot) {
  finish(slot, EventKind::failed);
  reuse_->clear(slot);
}

void StepLoop::emit(GenerationId id, EventKind kind, int32_t value) {
  events_.push_back(id);
  events_.push_back(static_cast<int32_t>(kind));
  events_.push_back(value);
}
