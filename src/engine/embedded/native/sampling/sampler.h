#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grammar/grammar-matcher.h"
#include "llama.h"
#include "sampling/thought-guide.h"
#include "sampling/utf8-text.h"

struct Sampling {
  /** 0 chooses the most likely token (greedy). */
  float temperature = 0;
  /** 1 is off. */
  float topP = 1;
  /** 0 is off. */
  int topK = 0;
  /** 0 is off. */
  float minP = 0;
  uint64_t seed = 0;
  /** Subtracted once from the logit of every token that this generation has sampled. */
  float presencePenalty = 0;
  /** Subtracted from a token's logit for each time it was sampled. */
  float frequencyPenalty = 0;
  /** Added to the logits of these tokens; a bias of `bannedBias` or less forbids the token. */
  std::vector<std::pair<llama_token, float>> logitBias;
};

constexpr float bannedBias = -100;

/** The generator xoshiro256++, seeded by splitmix64: gives the same numbers on every machine. */
class Random {
 public:
  explicit Random(uint64_t seed);
  /** Returns a number in [0, 1) with 53 random bits. */
  double next();

 private:
  uint64_t state_[4];
};

/**
 * Samples the tokens of one generation. It applies, in this order: biases and penalties, top-k,
 * top-p on the probabilities before the temperature, min-p, the temperature. The same seed and the
 * same logits give the same tokens; of equal logits the lower token id comes first.
 */
class Sampler {
 public:
  /** Samples only well-formed UTF-8, as far as the vocabulary has tokens for it. */
  Sampler(const Sampling& sampling, std::shared_ptr<const TokenTree> tree);
  /** Samples only texts of the grammar; with costs, completes the text within the tokens left. */
  Sampler(const Sampling& sampling, std::shared_ptr<const Grammar> grammar,
          std::shared_ptr<const TokenTree> tree,
          std::shared_ptr<const ClosingCosts> costs = nullptr);

  /** Exempts thoughts from the grammar, and limits their length. Call it before `sample`. */
  void guideThoughts(const ThoughtMarks& marks);
  /**
   * Samples a token, after which at most `tokensLeft` more may follow. Returns -1 if the largest
   * logit is not finite.
   */
  llama_token sample(const float* logits, int32_t tokensLeft);
  /**
   * Returns at most `count` tokens of the text that must follow in the grammar, the longest token
   * at each place. The sampler may choose shorter ones.
   */
  std::vector<llama_token> fixedTokens(int count);
  /** Returns true where the sampled text is complete in the grammar and nothing can follow. */
  bool isAtEnd() const { return isInGrammar() && matcher_->isAtEnd(); }

 private:
  struct Candidate {
    float logit;
    llama_token id;
  };
  static bool isLikelier(const Candidate& a, const Candidate& b) {
    return a.logit > b.logit || (a.logit == b.logit && a.id < b.id);
  }

  llama_token choose(const float* logits);
  const float* adjust(const float* logits);
  /** Returns true while the next token must match the grammar. */
  bool isInGrammar() const {
    const bool isAnswer = !guide_.has_value() || guide_->place() == ThoughtGuide::Place::answer;
    return matcher_.has_value() && isAnswer;
  }
  /** Returns true if either a thought or a text of the grammar may begin next. */
  bool isBeforeGrammar() const {
    return matcher_.has_value() && guide_.has_value() &&
           guide_->place() == ThoughtGuide::Place::start;
  }
  bool admits(llama_token token);
  bool admitsFew() const;
  void accept(llama_token token);
  llama_token forcedToken(int32_t tokensLeft);
  bool admitsBesideGrammar(llama_token token);
  const std::vector<char>& admittedBesideGrammar();
  void acceptGuided(llama_token token);
  const std::vector<char>& admitted();
  llama_token chooseAdmitted(const float* logits, llama_token refused);
  llama_token chooseAmong(const std::vector<char>& admitted);
  llama_token drawFromAll(const float* logits, float max);
  template <typename Visit>
  void eachPart(const float* logits, llama_token token, Visit visit) const;
  double massAbove(const float* logits, llama_token token) const;
  void keepAbove(const float* logits, llama_token token);
  llama_token drawFromCandidates();
  void takeTopK(const float* logits);
  void cutToTopP();
  void cutToMinP();

  Sampling sampling_;
  int vocabSize_;
  Random random_;
  std::vector<Candidate> candidates_;
  std::vector<float> weights_;
  /** The sum of each block of `weights_`. */
  std::vector<double> blockSums_;
  /** Each token's probability before the temperature, times a factor; set only for top-p. */
  std::vector<float> masses_;
  std::vector<float> adjusted_;
  /** The number of times each token was sampled; counted only where a penalty is set. */
  std::unordered_map<llama_token, int> sampled_;
  bool hasPenalties_;
  std::shared_ptr<const TokenTree> tree_;
  std::optional<GrammarMatcher> matcher_;
  std::shared_ptr<const Grammar> grammar_;
  std::shared_ptr<const ClosingCosts> costs_;
  /** Set only if the model writes thoughts before its answers. */
  std::optional<ThoughtGuide> guide_;
  /** True if the text so far can become only a mark, not a text of the grammar. */
  bool isMarkOnly_ = false;
  /** The text so far, except in a grammar, which admits only well-formed UTF-8 itself. */
  Utf8Text text_;
  std::vector<char> admitted_;
};
