#include "sampling/sampler.h"

// The part of the sampler that follows the thoughts of a reply.

void Sampler::guideThoughts(const ThoughtMarks& marks) {
  guide_.emplace(marks, matcher_.has_value(), tree_);
}

/** Returns and accepts the token that must come next; -1 where the model chooses. */
llama_token Sampler::forcedToken(int32_t tokensLeft) {
  if (!guide_.has_value()) return -1;
  guide_->closeWithin(tokensLeft);
  const llama_token forced = guide_->forcedToken(text_.isCharacterComplete());
  if (forced >= 0) acceptGuided(forced);
  return forced;
}

/** Checks a token where the grammar alone does not decide: before a possible thought, or in one. */
bool Sampler::admitsBesideGrammar(llama_token token) {
  if (isBeforeGrammar()) {
    return guide_->continuesMark(token) || (!isMarkOnly_ && matcher_->admits(token));
  }
  // A reply that must match a grammar does not end within a thought.
  return !tree_->ends(token) && guide_->staysInThought(token) &&
         text_.admits(tree_->bytesOf(token));
}

const std::vector<char>& Sampler::admittedBesideGrammar() {
  const bool readsGrammar = isBeforeGrammar() && !isMarkOnly_;
  if (readsGrammar) admitted_ = matcher_->admitted();
  admitted_.resize(vocabSize_);
  for (int id = 0; id < vocabSize_; id++) {
    if (readsGrammar) {
      admitted_[id] = admitted_[id] || guide_->continuesMark(id);
    } else {
      admitted_[id] = admitsBesideGrammar(id);
    }
  }
  return admitted_;
}

void Sampler::acceptGuided(llama_token token) {
  const bool readsGrammar = isInGrammar() || (isBeforeGrammar() && !isMarkOnly_);
  const bool isForced = guide_->isForcing();
  if (!isInGrammar()) text_.accept(tree_->bytesOf(token));
  if (readsGrammar && !isForced) {
    // In the grammar no token is part of a mark, also not one that only the check of all tokens admits.
    if (isInGrammar() || matcher_->admits(token)) {
      matcher_->accept(token);
    } else {
      isMarkOnly_ = true;
    }
  }
  if (guide_->accept(token) && matcher_.has_value()) {
    matcher_.emplace(grammar_, tree_, costs_);
    isMarkOnly_ = false;
  }
}
