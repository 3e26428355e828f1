#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grammar.h"
#include "llama.h"

struct Sampling {
  /** 0 takes the likeliest token. */
  float temperature = 0;
  /** 1 keeps everything. */
  float topP = 1;
  /** 0 keeps everything. */
  int topK = 0;
  /** 0 keeps everything. */
  float minP = 0;
  uint64_t seed = 0;
  /** Taken from the logit of every token that this generation has sampled, once, and each time. */
  float presencePenalty = 0;
  float frequencyPenalty = 0;
  /** Added to the logits of these tokens; `bannedBias` or less forbids one. */
  std::vector<std::pair<llama_token, float>> logitBias;
};

constexpr float bannedBias = -100;

/** xoshiro256++, seeded by splitmix64: the same numbers on every machine. */
class Random {
 public:
  explicit Random(uint64_t seed);
  /** In [0, 1), 53 bits. */
  double next();

 private:
  uint64_t state_[4];
};

/**
 * One generation's choice of tokens. In the field's order: biases and penalties, top-k, then top-p
 * on the probabilities before the temperature, then min-p, then the temperature. The same seed and
 * the same logits give the same tokens; ties go to the lower id.
 */
class Sampler {
 public:
  Sampler(const Sampling& sampling, int vocabSize);
  /** Of a grammar's texts only. */
  Sampler(const Sampling& sampling, std::shared_ptr<const Grammar> grammar,
          std::shared_ptr<const TokenTree> tree);

  /** -1 when the logits hold no usable number. */
  llama_token sample(const float* logits);
  /** What was sampled is a whole text of the grammar, and nothing can follow. */
  bool isAtEnd() const { return matcher_.has_value() && matcher_->isAtEnd(); }

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
  llama_token chooseAdmitted(const float* logits, llama_token refused);
  llama_token chooseAmong(const std::vector<char>& admitted);
  llama_token drawFromAll(const float* logits, float max, const Candidate& last);
  llama_token drawFromCandidates();
  void takeTopK(const float* logits);
  Candidate lastOfTopP(const float* logits, float max);
  void cutToTopP();
  void cutToMinP();

  Sampling sampling_;
  int vocabSize_;
  Random random_;
  std::vector<Candidate> candidates_;
  std::vector<float> weights_;
  std::vector<float> adjusted_;
  /** How often each token was sampled; counted only where a penalty asks for it. */
  std::unordered_map<llama_token, int> sampled_;
  bool hasPenalties_;
  std::optional<GrammarMatcher> matcher_;
};
