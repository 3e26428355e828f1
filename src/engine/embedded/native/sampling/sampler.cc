#include "sampling/sampler.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace {

/**
 * Returns e^x for x <= 0 with a relative error of about 1e-7, and 0 below -87. The C library's
 * result differs between machines, and the compiler vectorises this one.
 */
inline float expOfNegative(float x) {
  const float clamped = x < -87.0f ? -87.0f : x;
  const float scaled = clamped * 1.44269504f;
  // Adding and subtracting 1.5 * 2^23 rounds to the nearest integer.
  const float whole = (scaled + 12582912.0f) - 12582912.0f;
  const float part = (clamped - whole * 0.693359375f) + whole * 2.12194440e-4f;
  float power = 1.9875691500e-4f;
  power = power * part + 1.3981999507e-3f;
  power = power * part + 8.3334519073e-3f;
  power = power * part + 4.1665795894e-2f;
  power = power * part + 1.6666665459e-1f;
  power = power * part + 5.0000001201e-1f;
  power = power * part * part + part + 1.0f;
  const int32_t exponent = (static_cast<int32_t>(whole) + 127) * (1 << 23);
  float scale;
  std::memcpy(&scale, &exponent, sizeof scale);
  return x < -87.0f ? 0.0f : power * scale;
}

// All clones give the same bits, because -ffp-contract=off keeps the compiler from fusing
// operations. The loader of glibc picks one; other processors and systems have one version.
#if defined(__x86_64__) && defined(__linux__)
#define VECTORISED __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTORISED
#endif

VECTORISED void toWeights(const float* logits, int count, float max, float scale, float* weights) {
  for (int id = 0; id < count; id++) weights[id] = expOfNegative((logits[id] - max) * scale);
}

using Floats = float __attribute__((vector_size(64)));
constexpr int floatLanes = sizeof(Floats) / sizeof(float);

VECTORISED float maxOf(const float* values, int count) {
  Floats lanes = Floats{} - INFINITY;
  int index = 0;
  for (; index + floatLanes <= count; index += floatLanes) {
    Floats next;
    std::memcpy(&next, values + index, sizeof next);
    lanes = next > lanes ? next : lanes;
  }
  float result = -INFINITY;
  for (int lane = 0; lane < floatLanes; lane++) result = std::max(result, lanes[lane]);
  for (; index < count; index++) result = std::max(result, values[index]);
  return result;
}

VECTORISED double sumOf(const float* values, int count) {
  double lanes[8] = {};
  int index = 0;
  for (; index + 8 <= count; index += 8) {
    for (int lane = 0; lane < 8; lane++) lanes[lane] += values[index + lane];
  }
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  for (; index < count; index++) sum += values[index];
  return sum;
}

constexpr int histogramBins = 1024;
/** Bins after those, for tokens that top-p drops: additions to one bin wait for each other. */
constexpr int droppedBins = 16;
/** A run of tokens that is skipped where none of them matters. */
constexpr int runSize = 64;
constexpr int blockSize = 256;
/** Draws before a walk over the vocabulary; where most tokens are admitted, these cost less. */
constexpr int drawsBeforeWalk = 16;
/** Limits how far fixed text is read ahead. Tokens of names and punctuation are mostly shorter. */
constexpr int fixedBytesPerToken = 8;

/** Writes for each token the bin of its distance from the largest logit. */
VECTORISED void toBins(const float* logits, const float* weights, int count, float max,
                       float binsPerUnit, float least, uint16_t* bins) {
  constexpr float lastBin = histogramBins - 1;
  for (int id = 0; id < count; id++) {
    const float distance = (max - logits[id]) * binsPerUnit;
    const int bin = static_cast<int>(distance < lastBin ? distance : lastBin);
    const int dropped = histogramBins + id % droppedBins;
    bins[id] = static_cast<uint16_t>(weights[id] >= least ? bin : dropped);
  }
}

VECTORISED bool hasBinBelow(const uint16_t* bins, int count, uint16_t limit) {
  int found = 0;
  for (int id = 0; id < count; id++) found |= bins[id] < limit ? 1 : 0;
  return found != 0;
}

VECTORISED bool hasBin(const uint16_t* bins, int count, uint16_t bin) {
  int found = 0;
  for (int id = 0; id < count; id++) found |= bins[id] == bin ? 1 : 0;
  return found != 0;
}

/** Does the same as `toWeights`, with weights of 0 for logits below `least` and for `excluded`. */
VECTORISED void toKeptWeights(const float* logits, int count, float max, float scale, float least,
                              float excluded, float* weights) {
  for (int start = 0; start < count; start += runSize) {
    const int end = std::min(start + runSize, count);
    int found = 0;
    for (int id = start; id < end; id++) found |= logits[id] >= least ? 1 : 0;
    if (found == 0) {
      std::fill(weights + start, weights + end, 0.0f);
      continue;
    }
    for (int id = start; id < end; id++) {
      const float weight = expOfNegative((logits[id] - max) * scale);
      weights[id] = logits[id] < least || logits[id] == excluded ? 0.0f : weight;
    }
  }
}

/**
 * Returns the index at which the running sum of the weights exceeds `fraction` of their total; -1
 * where the total is not positive and finite.
 */
int drawIndex(const std::vector<float>& weights, int count, double fraction) {
  thread_local std::vector<double> blockSums;
  blockSums.clear();
  double total = 0;
  for (int start = 0; start < count; start += blockSize) {
    const double sum = sumOf(weights.data() + start, std::min(blockSize, count - start));
    blockSums.push_back(sum);
    total += sum;
  }
  if (!std::isfinite(total) || total <= 0) return -1;
  double left = fraction * total;
  size_t block = 0;
  while (block + 1 < blockSums.size() && left >= blockSums[block]) left -= blockSums[block++];
  int last = -1;
  for (int index = static_cast<int>(block) * blockSize; index < count; index++) {
    if (weights[index] <= 0) continue;
    last = index;
    left -= weights[index];
    if (left < 0) return index;
  }
  // Rounding may leave a remainder after the last weight.
  while (last < 0 && count > 0) {
    count--;
    if (weights[count] > 0) last = count;
  }
  return last;
}

}  // namespace

Random::Random(uint64_t seed) {
  for (uint64_t& word : state_) {
    seed += 0x9e3779b97f4a7c15u;
    uint64_t mixed = seed;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    word = mixed ^ (mixed >> 31);
  }
}

double Random::next() {
  const auto rotate = [](uint64_t value, int bits) {
    return (value << bits) | (value >> (64 - bits));
  };
  const uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = rotate(state_[3], 45);
  return static_cast<double>(result >> 11) * 0x1.0p-53;
}

Sampler::Sampler(const Sampling& sampling, std::shared_ptr<const TokenTree> tree)
    : sampling_(sampling),
      vocabSize_(tree->size()),
      random_(sampling.seed),
      hasPenalties_(sampling.presencePenalty != 0 || sampling.frequencyPenalty != 0),
      tree_(std::move(tree)) {}

Sampler::Sampler(const Sampling& sampling, std::shared_ptr<const Grammar> grammar,
                 std::shared_ptr<const TokenTree> tree, std::shared_ptr<const ClosingCosts> costs)
    : Sampler(sampling, std::move(tree)) {
  grammar_ = std::move(grammar);
  costs_ = std::move(costs);
  matcher_.emplace(grammar_, tree_, costs_);
}

llama_token Sampler::sample(const float* logits, int32_t tokensLeft) {
  const llama_token forced = forcedToken();
  if (forced >= 0) return forced;
  if (isInGrammar()) matcher_->closeWithin(tokensLeft);
  const bool isAdjusted = hasPenalties_ || !sampling_.logitBias.empty();
  llama_token token = choose(isAdjusted ? adjust(logits) : logits);
  if (token >= 0 && !admits(token)) {
    if (!isAdjusted) adjusted_.assign(logits, logits + vocabSize_);
    token = chooseAdmitted(logits, token);
  }
  if (token >= 0) accept(token);
  if (hasPenalties_ && token >= 0) sampled_[token]++;
  return token;
}

std::vector<llama_token> Sampler::fixedTokens(int count) {
  std::vector<llama_token> tokens;
  if (!isInGrammar()) return tokens;
  const std::string text = matcher_->fixedText(count * fixedBytesPerToken);
  for (size_t begin = 0; begin < text.size() && tokens.size() < static_cast<size_t>(count);) {
    const llama_token token = tree_->longestIn(text, begin);
    if (token < 0) break;
    tokens.push_back(token);
    begin += tree_->bytesOf(token).size();
  }
  return tokens;
}

bool Sampler::admits(llama_token token) {
  if (matcher_.has_value() && !isInGrammar()) return admitsBesideGrammar(token);
  return matcher_.has_value() ? matcher_->admits(token) : text_.admits(tree_->bytesOf(token));
}

/** Returns true where a walk over the vocabulary is faster than further draws. */
bool Sampler::admitsFew() const {
  return isInGrammar() || isBeforeGrammar() ? matcher_->isNarrow() : !text_.isCharacterComplete();
}

const std::vector<char>& Sampler::admitted() {
  if (isInGrammar()) return matcher_->admitted();
  if (matcher_.has_value()) return admittedBesideGrammar();
  admitted_.resize(vocabSize_);
  for (int id = 0; id < vocabSize_; id++) admitted_[id] = text_.admits(tree_->bytesOf(id));
  return admitted_;
}

void Sampler::accept(llama_token token) {
  if (guide_.has_value()) {
    acceptGuided(token);
  } else if (matcher_.has_value()) {
    matcher_->accept(token);
  } else {
    text_.accept(tree_->bytesOf(token));
  }
}

/**
 * Rejection sampling: removes a token that is not admitted and draws again. The result has the
 * distribution p(x | x is admitted), as a mask over the whole vocabulary would give, because the
 * other tokens keep their proportions; a few draws mostly suffice. Top-k, top-p and min-p apply to
 * the remaining tokens.
 */
llama_token Sampler::chooseAdmitted(const float* logits, llama_token refused) {
  const int drawsMax = admitsFew() ? 0 : drawsBeforeWalk;
  for (int draws = 0; draws < drawsMax; draws++) {
    adjusted_[refused] = -INFINITY;
    const llama_token token = choose(adjusted_.data());
    if (token < 0) break;
    if (admits(token)) return token;
    refused = token;
  }
  const std::vector<char>& tokens = admitted();
  const llama_token token = chooseAmong(tokens);
  if (token >= 0) return token;
  // Biases forbid every token that can follow. The text comes first: ignore the biases.
  adjusted_.assign(logits, logits + vocabSize_);
  const llama_token unbiased = chooseAmong(tokens);
  // A vocabulary without tokens for single bytes may have none that completes a character.
  return unbiased < 0 && !isInGrammar() ? refused : unbiased;
}

llama_token Sampler::chooseAmong(const std::vector<char>& admitted) {
  for (int id = 0; id < vocabSize_; id++) {
    if (!admitted[id]) adjusted_[id] = -INFINITY;
  }
  return choose(adjusted_.data());
}

/** Returns a copy of the logits with biases and penalties applied. */
const float* Sampler::adjust(const float* logits) {
  adjusted_.assign(logits, logits + vocabSize_);
  for (const auto& [token, bias] : sampling_.logitBias) {
    if (token < 0 || token >= vocabSize_) continue;
    adjusted_[token] = bias <= bannedBias ? -INFINITY : adjusted_[token] + bias;
  }
  for (const auto& [token, times] : sampled_) {
    adjusted_[token] -= sampling_.presencePenalty + sampling_.frequencyPenalty * times;
  }
  return adjusted_.data();
}

llama_token Sampler::choose(const float* logits) {
  const float max = maxOf(logits, vocabSize_);
  if (!std::isfinite(max)) return -1;
  // The reciprocal of a temperature below 1e-38 is infinite.
  if (sampling_.temperature < FLT_MIN) {
    return static_cast<llama_token>(std::find(logits, logits + vocabSize_, max) - logits);
  }
  if (sampling_.topK > 0 && sampling_.topK < vocabSize_) {
    takeTopK(logits);
    if (sampling_.topP < 1) cutToTopP();
    if (sampling_.minP > 0) cutToMinP();
    return drawFromCandidates();
  }
  Candidate last = {-INFINITY, vocabSize_};
  if (sampling_.topP < 1) last = lastOfTopP(logits, max);
  return drawFromAll(logits, max, last);
}

llama_token Sampler::drawFromAll(const float* logits, float max, const Candidate& last) {
  weights_.resize(vocabSize_);
  const float scale = 1.0f / sampling_.temperature;
  const float least =
      std::max(last.logit, sampling_.minP > 0 ? max + std::log(sampling_.minP) : -INFINITY);
  // Among tokens as likely as the last one, top-p keeps those with lower ids.
  const int after = std::min(last.id + 1, vocabSize_);
  toKeptWeights(logits, after, max, scale, least, NAN, weights_.data());
  toKeptWeights(logits + after, vocabSize_ - after, max, scale, least, last.logit,
                weights_.data() + after);
  return drawIndex(weights_, vocabSize_, random_.next());
}

llama_token Sampler::drawFromCandidates() {
  const int count = static_cast<int>(candidates_.size());
  weights_.resize(count);
  const float scale = 1.0f / sampling_.temperature;
  for (int index = 0; index < count; index++) {
    weights_[index] = expOfNegative((candidates_[index].logit - candidates_[0].logit) * scale);
  }
  const int index = drawIndex(weights_, count, random_.next());
  return index < 0 ? -1 : candidates_[index].id;
}

/**
 * Collects the k most likely tokens in a heap; skips blocks in which no logit exceeds its minimum.
 */
void Sampler::takeTopK(const float* logits) {
  const int k = sampling_.topK;
  candidates_.clear();
  for (llama_token id = 0; id < k; id++) candidates_.push_back({logits[id], id});
  std::make_heap(candidates_.begin(), candidates_.end(), isLikelier);
  for (int start = k; start < vocabSize_; start += 16) {
    const int end = std::min(start + 16, vocabSize_);
    float blockMax = logits[start];
    for (int id = start + 1; id < end; id++) blockMax = std::max(blockMax, logits[id]);
    if (!(blockMax > candidates_.front().logit)) continue;
    for (llama_token id = start; id < end; id++) {
      if (!(logits[id] > candidates_.front().logit)) continue;
      std::pop_heap(candidates_.begin(), candidates_.end(), isLikelier);
      candidates_.back() = {logits[id], id};
      std::push_heap(candidates_.begin(), candidates_.end(), isLikelier);
    }
  }
  std::sort(candidates_.begin(), candidates_.end(), isLikelier);
}

/**
 * Returns the least likely token of the smallest set whose probability reaches top-p. A histogram of
 * the logits finds the interval that holds it, and quickselect the token within that interval, so
 * the whole vocabulary is never sorted.
 */
Sampler::Candidate Sampler::lastOfTopP(const float* logits, float max) {
  weights_.resize(vocabSize_);
  toWeights(logits, vocabSize_, max, 1.0f, weights_.data());
  const double total = sumOf(weights_.data(), vocabSize_);
  // Tokens below this weight hold less than 1 - top-p together, so the set ends before them.
  const float least =
      std::min(1.0f, static_cast<float>(total * (1 - double{sampling_.topP}) / vocabSize_));
  const float binsPerUnit = histogramBins / (1.0f - std::log(std::max(least, FLT_MIN)));
  bins_.resize(vocabSize_);
  toBins(logits, weights_.data(), vocabSize_, max, binsPerUnit, least, bins_.data());
  std::array<double, histogramBins + droppedBins> masses{};
  for (int start = 0; start < vocabSize_; start += runSize) {
    const int end = std::min(start + runSize, vocabSize_);
    if (!hasBinBelow(bins_.data() + start, end - start, histogramBins)) continue;
    for (int id = start; id < end; id++) masses[bins_[id]] += weights_[id];
  }
  double left = total * sampling_.topP;
  int bin = 0;
  // Rounding may leave a remainder after the last bin that has tokens.
  for (int next = 0; next < histogramBins; next++) {
    if (masses[next] <= 0) continue;
    if (next > bin) left -= masses[bin];
    bin = next;
    if (masses[bin] >= left) break;
  }
  candidates_.clear();
  for (int start = 0; start < vocabSize_; start += runSize) {
    const int end = std::min(start + runSize, vocabSize_);
    if (!hasBin(bins_.data() + start, end - start, static_cast<uint16_t>(bin))) continue;
    for (int id = start; id < end; id++) {
      if (bins_[id] == bin) candidates_.push_back({logits[id], id});
    }
  }
  auto begin = candidates_.begin();
  auto end = candidates_.end();
  while (end - begin > 1) {
    const auto middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end, isLikelier);
    double mass = 0;
    for (auto one = begin; one != middle; one++) mass += weights_[one->id];
    if (mass >= left) {
      end = middle;
    } else {
      left -= mass;
      begin = middle;
    }
  }
  return *begin;
}

void Sampler::cutToTopP() {
  double total = 0;
  for (const Candidate& candidate : candidates_) {
    total += expOfNegative(candidate.logit - candidates_[0].logit);
  }
  double mass = 0;
  size_t kept = 0;
  while (kept < candidates_.size() && mass < sampling_.topP * total) {
    mass += expOfNegative(candidates_[kept++].logit - candidates_[0].logit);
  }
  candidates_.resize(std::max<size_t>(kept, 1));
}

void Sampler::cutToMinP() {
  const float threshold = candidates_[0].logit + std::log(sampling_.minP);
  while (candidates_.size() > 1 && candidates_.back().logit < threshold) candidates_.pop_back();
}
