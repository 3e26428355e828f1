#include "sampling/sampler.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>
#include <utility>

#include "sampling/token-weights.h"

namespace {

/**
 * Draws to try before checking all tokens of the vocabulary. If most tokens are admitted, a few
 * draws cost less.
 */
constexpr int drawsBeforeWalk = 16;
/** Limits how far fixed text is read ahead. Tokens of names and punctuation are mostly shorter. */
constexpr int fixedBytesPerToken = 8;

/** Returns the least number above `value`. */
float nextAbove(float value) { return std::nextafter(value, INFINITY); }

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
  const llama_token forced = forcedToken(tokensLeft);
  if (forced >= 0) {
    if (hasPenalties_) sampled_[forced]++;
    return forced;
  }
  if (isInGrammar() || isBeforeGrammar()) matcher_->closeWithin(tokensLeft);
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

/** Returns true where checking all tokens of the vocabulary is faster than further draws. */
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
  for (llama_token token = chooseAmong(tokens); token >= 0; token = chooseAmong(tokens)) {
    // The check of a single token may see further than that of all tokens.
    if (admits(token)) return token;
    adjusted_[token] = -INFINITY;
  }
  // The biases forbid every token that can follow. A valid text matters more, so ignore them.
  adjusted_.assign(logits, logits + vocabSize_);
  const llama_token unbiased = chooseAmong(tokens);
  for (llama_token token = unbiased; token >= 0; token = chooseAmong(tokens)) {
    if (admits(token)) return token;
    adjusted_[token] = -INFINITY;
  }
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
  return drawFromAll(logits, max);
}

/**
 * Top-p by rejection, as in FlashInfer's kernels (decision 0029): draws from the tokens that may be
 * kept, and accepts a token if the likelier ones do not reach top-p by themselves. A refused
 * token and all that are less likely leave the draw, so each draw is from fewer tokens, and the
 * kept ones keep their proportions. So the vocabulary is never sorted.
 */
llama_token Sampler::drawFromAll(const float* logits, float max) {
  float least = sampling_.minP > 0 ? max + std::log(sampling_.minP) : -INFINITY;
  double topMass = INFINITY;
  if (sampling_.topP < 1) {
    masses_.resize(vocabSize_);
    const double total = toWeights(logits, vocabSize_, max, masses_.data());
    topMass = std::max(total * sampling_.topP, DBL_MIN);
    // Tokens below this logit hold less than 1 - top-p together, so top-p keeps none of them. The
    // margin is for rounding.
    const double rest = (total - topMass) / vocabSize_;
    least = std::max(least, max + static_cast<float>(std::log(rest)) - 1e-3f);
  }
  weights_.resize(vocabSize_);
  const float scale = 1.0f / sampling_.temperature;
  blockSums_.clear();
  for (int start = 0; start < vocabSize_; start += blockSize) {
    const int count = std::min(blockSize, vocabSize_ - start);
    blockSums_.push_back(
        toKeptWeights(logits + start, count, max, scale, least, weights_.data() + start));
  }
  while (true) {
    const llama_token token = drawIndex(weights_, blockSums_, vocabSize_, random_.next());
    if (token < 0 || sampling_.topP >= 1 || massAbove(logits, token) < topMass) return token;
    keepAbove(logits, token);
  }
}

/**
 * Calls `visit` for parts of the blocks that can still be drawn from: with a block's number, the
 * part's first token and length, and the least logit with which its tokens are likelier than
 * `token`.
 */
template <typename Visit>
void Sampler::eachPart(const float* logits, llama_token token, Visit visit) const {
  const float logit = logits[token];
  for (size_t block = 0; block < blockSums_.size(); block++) {
    if (blockSums_[block] <= 0) continue;
    const int start = static_cast<int>(block) * blockSize;
    const int end = std::min(start + blockSize, vocabSize_);
    // Lower ids come first among equally likely tokens.
    const int middle = std::clamp(token, start, end);
    if (start < middle) visit(block, start, middle - start, logit);
    if (middle < end) visit(block, middle, end - middle, nextAbove(logit));
  }
}

/** Returns the mass of the tokens that are likelier than this one. */
double Sampler::massAbove(const float* logits, llama_token token) const {
  double mass = 0;
  eachPart(logits, token, [&](size_t, int start, int count, float least) {
    mass += massFrom(logits + start, masses_.data() + start, count, least);
  });
  return mass;
}

/** Sets the weights of this token and of those that are less likely to 0. */
void Sampler::keepAbove(const float* logits, llama_token token) {
  std::vector<double> sums(blockSums_.size());
  eachPart(logits, token, [&](size_t block, int start, int count, float least) {
    sums[block] += keepFrom(logits + start, count, least, weights_.data() + start);
  });
  blockSums_ = std::move(sums);
}

llama_token Sampler::drawFromCandidates() {
  const int count = static_cast<int>(candidates_.size());
  weights_.resize(count);
  const float scale = 1.0f / sampling_.temperature;
  for (int index = 0; index < count; index++) {
    weights_[index] = expOfNegative((candidates_[index].logit - candidates_[0].logit) * scale);
  }
  blockSums_.clear();
  for (int start = 0; start < count; start += blockSize) {
    blockSums_.push_back(sumOf(weights_.data() + start, std::min(blockSize, count - start)));
  }
  const int index = drawIndex(weights_, blockSums_, count, random_.next());
  return index < 0 ? -1 : candidates_[index].id;
}

/**
 * Collects the k most likely tokens in a heap. Skips runs without a logit above the heap's minimum.
 */
void Sampler::takeTopK(const float* logits) {
  const int k = sampling_.topK;
  candidates_.clear();
  for (llama_token id = 0; id < k; id++) candidates_.push_back({logits[id], id});
  std::make_heap(candidates_.begin(), candidates_.end(), isLikelier);
  for (int start = k; start < vocabSize_; start += shortRunSize) {
    start = nextRunAbove(logits, start, vocabSize_, candidates_.front().logit);
    const int end = std::min(start + shortRunSize, vocabSize_);
    for (llama_token id = start; id < end; id++) {
      if (!(logits[id] > candidates_.front().logit)) continue;
      std::pop_heap(candidates_.begin(), candidates_.end(), isLikelier);
      candidates_.back() = {logits[id], id};
      std::push_heap(candidates_.begin(), candidates_.end(), isLikelier);
    }
  }
  std::sort(candidates_.begin(), candidates_.end(), isLikelier);
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
