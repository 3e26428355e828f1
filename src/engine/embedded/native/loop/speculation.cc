#include "loop/speculation.h"

#include <algorithm>

namespace {

/** Shorter matches are too often coincidental, and longer ones are too rare. */
constexpr size_t matchedTokensMax = 4;
constexpr size_t matchedTokensMin = 2;
/** After 20 further speculative tokens, a token has about a third of its weight. */
constexpr double acceptanceDecay = 0.95;
/** The estimated time of a further row, as a share of the time of a step of one row. */
constexpr double extraRowShare = 0.15;
/**
 * Raises the shortest time at every step, so that an outdated one is forgotten within about a
 * hundred steps.
 */
constexpr double leastTimeGrowth = 1.01;

}  // namespace

void StepCost::add(int rows, double seconds) {
  if (rows < 1 || rows >= static_cast<int>(seconds_.size())) return;
  double& least = seconds_[rows];
  least = least > 0 ? std::min(least * leastTimeGrowth, seconds) : seconds;
}

double StepCost::seconds(int rows) const {
  if (seconds_[rows] > 0) return seconds_[rows];
  const auto relative = [](size_t count) {
    return 1 + extraRowShare * (static_cast<double>(count) - 1);
  };
  double oneRow = 0;
  for (size_t measured = 1; measured < seconds_.size(); measured++) {
    if (seconds_[measured] <= 0) continue;
    const double estimate = seconds_[measured] / relative(measured);
    oneRow = oneRow > 0 ? std::min(oneRow, estimate) : estimate;
  }
  return (oneRow > 0 ? oneRow : 1) * relative(rows);
}

std::vector<llama_token> lookUpInPrompt(const std::vector<llama_token>& tokens, llama_token next,
                                        int count) {
  std::vector<llama_token> proposed;
  for (size_t matched = matchedTokensMax; matched >= matchedTokensMin; matched--) {
    // The last matched token is `next`; those before it are the end of `tokens`.
    const auto tail = tokens.end() - std::min(matched - 1, tokens.size());
    for (size_t place = tokens.size(); place-- >= matched;) {
      const auto last = tokens.begin() + place;
      if (*last != next || !std::equal(tail, tokens.end(), last - (matched - 1))) continue;
      // The copy may run into the proposed tokens themselves, which continues a repetition.
      for (size_t index = place + 1; proposed.size() < static_cast<size_t>(count); index++) {
        proposed.push_back(index < tokens.size()    ? tokens[index]
                           : index == tokens.size() ? next
                                                    : proposed[index - tokens.size() - 1]);
      }
      return proposed;
    }
  }
  return proposed;
}

int AcceptanceRate::bestCount(const StepCost& cost, double plainSeconds, int max) const {
  const double acceptance = accepted_ / proposed_;
  int best = 0;
  double bestSpeed = 1 / plainSeconds, expectedTokens = 1, reached = 1;
  for (int count = 1; count <= max; count++) {
    reached *= acceptance;
    expectedTokens += reached;
    const double speed = expectedTokens / cost.seconds(count + 1);
    if (speed <= bestSpeed) continue;
    bestSpeed = speed;
    best = count;
  }
  return best;
}

void AcceptanceRate::record(bool isAccepted) {
  accepted_ = accepted_ * acceptanceDecay + (isAccepted ? 1 : 0);
  proposed_ = proposed_ * acceptanceDecay + 1;
}
