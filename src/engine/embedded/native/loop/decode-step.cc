// The decoding half of StepLoop: rows of sampled, speculative and known tokens.
#include <algorithm>
#include <chrono>

#include "loop/step-loop.h"

namespace {

using Clock = std::chrono::steady_clock;

bool isDecoding(const Slot& slot) { return slot.state == SlotState::decoding; }

}  // namespace

void StepLoop::decodeStep() {
  for (Slot& slot : slots_) {
    if (isDecoding(slot) && knownRows(slot) > 0) repeatKnownTokens(slot);
  }
  const auto isTogether = [&](const Slot& slot) { return decodesTogether(slot); };
  const auto decoding = std::count_if(slots_.begin(), slots_.end(), isTogether);
  if (decoding == 0) return;
  const Clock::time_point start = Clock::now();
  batch_->clear();
  for (Slot& slot : slots_) {
    if (isTogether(slot)) addDecodeRows(slot, decoding == 1);
  }
  const int rows = batch_->rows();
  const bool isOnOneThread =
      decoding == 1 && rows == 1 && loneRows_.differsAlone(batch_->position(0) + 1);
  if (isOnOneThread) llama_set_n_threads(model_->context(), 1, threads_);
  const bool isDecoded = decodeBatch();
  if (isOnOneThread) llama_set_n_threads(model_->context(), threads_, threads_);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (isDecoded && decoding == 1) loneRows_.record(rows, seconds, isOnOneThread);
  for (Slot& slot : slots_) {
    if (!isTogether(slot)) continue;
    if (isDecoded) {
      sampleDecodedRows(slot);
    } else {
      fail(slot);
    }
  }
}

/** Returns the number of known tokens that the slot's next step decodes as speculative tokens. */
int StepLoop::knownRows(const Slot& slot) const {
  const int known = static_cast<int>(slot.generation.known.size());
  const int left = std::min(known, slot.generation.maxTokens - 1) - slot.sampledTokens;
  return canRemoveRows_ ? std::clamp(left, 0, speculativeTokensLimit) : 0;
}

bool StepLoop::decodesTogether(const Slot& slot) const {
  return isDecoding(slot) && knownRows(slot) == 0;
}

/**
 * Decodes the next known tokens of a reply that is being regenerated. This decode is for the slot
 * alone and has at least two rows, like a decode with speculative tokens from prompt lookup.
 */
void StepLoop::repeatKnownTokens(Slot& slot) {
  batch_->clear();
  slot.batchRow = 0;
  slot.tokensBefore = slot.cached.size();
  slot.speculativeRows = knownRows(slot);
  slot.isTextFixed = false;
  const auto next = slot.generation.known.begin() + slot.sampledTokens;
  slot.speculative.assign(next, next + slot.speculativeRows);
  addRow(slot, slot.nextToken, RowKind::single, true);
  for (const llama_token token : slot.speculative) addRow(slot, token, RowKind::single, true);
  if (decodeBatch()) {
    sampleDecodedRows(slot);
  } else {
    fail(slot);
  }
}

/**
 * Adds a row for the token that was sampled last. If only this slot decodes, also adds rows for
 * speculative tokens: llama.cpp decodes sequences with different numbers of rows one after the
 * other.
 */
void StepLoop::addDecodeRows(Slot& slot, bool isAlone) {
  slot.batchRow = batch_->rows();
  slot.tokensBefore = slot.cached.size();
  slot.speculative.clear();
  slot.speculativeRows = 0;
  const int max =
      std::min(speculativeTokensMax_, slot.generation.maxTokens - slot.sampledTokens - 1);
  const bool differsAlone = needsSecondRow(slot);
  if (isAlone && max > 0) speculate(slot, differsAlone, max);
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

/** Proposes at most `max` tokens, and chooses how many of them get a row. */
void StepLoop::speculate(Slot& slot, bool differsAlone, int max) {
  slot.speculative = slot.sampler->fixedTokens(max);
  slot.isTextFixed = !slot.speculative.empty();
  const double plainSeconds = loneRows_.loneStepSeconds(differsAlone);
  slot.speculativeRows = slot.acceptanceRate().bestCount(loneRows_.cost(), plainSeconds, max);
  // At least one token is proposed, even without a row, to measure the acceptance rate.
  const auto wanted = static_cast<size_t>(std::max(slot.speculativeRows, 1));
  if (!slot.isTextFixed) {
    slot.speculative = lookUpInPrompt(slot.cached.tokens, slot.nextToken, static_cast<int>(wanted));
  }
  slot.speculative.resize(std::min(slot.speculative.size(), wanted));
}

/**
 * Returns true if the slot's row would be decoded alone and would then have different bits. It is
 * alone if no neighbouring slot decodes: llama.cpp decodes only neighbouring streams in one batch.
 */
bool StepLoop::needsSecondRow(const Slot& slot) const {
  if (!loneRows_.differsAlone(slot.cached.size() + 1)) return false;
  const auto decodes = [&](llama_seq_id sequence) {
    return sequence >= 0 && sequence < static_cast<llama_seq_id>(slots_.size()) &&
           decodesTogether(slots_[sequence]);
  };
  return !decodes(slot.sequence - 1) && !decodes(slot.sequence + 1);
}

/** Samples the slot's rows up to the first speculative token that the sampler does not choose. */
void StepLoop::sampleDecodedRows(Slot& slot) {
  const size_t count = slot.speculative.size();
  size_t accepted = 0;
  while (sampleRow(slot, slot.batchRow + static_cast<int>(accepted)) && accepted < count) {
    const bool isAccepted = slot.speculative[accepted] == slot.nextToken;
    slot.acceptanceRate().record(isAccepted);
    if (!isAccepted || accepted == static_cast<size_t>(slot.speculativeRows)) break;
    accepted++;
  }
  // Keeps the tokens from before the step, the one it decoded, and the accepted ones.
  truncate(slot, slot.tokensBefore + 1 + accepted);
}
