#include "prompt-lookup.h"

#include <algorithm>

namespace {

/** Fewer tokens stand together by chance too often, more are found too seldom. */
constexpr size_t matchedTokensMax = 4;
constexpr size_t matchedTokensMin = 2;
/** A guess of 20 guesses ago counts a third. */
constexpr double guessDecay = 0.95;
/** What a further row adds to a step of one row, until it is seen. */
constexpr double extraRowShare = 0.15;
/** A time that is not reached any more is forgotten within some hundred steps. */
constexpr double forgetting = 1.01;

}  // namespace

void StepCost::add(int rows, double seconds) {
  if (rows < 1 || rows >= static_cast<int>(seconds_.size())) return;
  double& least = seconds_[rows];
  least = least > 0 ? std::min(least * forgetting, seconds) : seconds;
}

double StepCost::of(int rows) const {
  if (seconds_[rows] > 0) return seconds_[rows];
  const auto relative = [](size_t count) {
    return 1 + extraRowShare * (static_cast<double>(count) - 1);
  };
  double oneRow = 0;
  for (size_t seen = 1; seen < seconds_.size(); seen++) {
    if (seconds_[seen] <= 0) continue;
    const double guess = seconds_[seen] / relative(seen);
    oneRow = oneRow > 0 ? std::min(oneRow, guess) : guess;
  }
  return (oneRow > 0 ? oneRow : 1) * relative(rows);
}

std::vector<llama_token> PromptLookup::guess(const std::vector<llama_token>& tokens,
                                             llama_token next, int most) {
  std::vector<llama_token> guesses;
  for (size_t matched = matchedTokensMax; matched >= matchedTokensMin; matched--) {
    // All but the last of the matched tokens are the end of `tokens`.
    const auto tail = tokens.end() - std::min(matched - 1, tokens.size());
    for (size_t place = tokens.size(); place-- >= matched;) {
      const auto last = tokens.begin() + place;
      if (*last != next || !std::equal(tail, tokens.end(), last - (matched - 1))) continue;
      // What is copied may run into what was just guessed: a reply that repeats itself goes on so.
      for (size_t index = place + 1; guesses.size() < static_cast<size_t>(most); index++) {
        guesses.push_back(index < tokens.size()    ? tokens[index]
                          : index == tokens.size() ? next
                                                   : guesses[index - tokens.size() - 1]);
      }
      return guesses;
    }
  }
  return guesses;
}

int PromptLookup::guessesThatPay(const StepCost& cost, double noGuessSeconds, int most) const {
  const double isRight = right_ / made_;
  int best = 0;
  double bestSpeed = 1 / noGuessSeconds, expected = 1, reached = 1;
  for (int guesses = 1; guesses <= most; guesses++) {
    reached *= isRight;
    expected += reached;
    const double speed = expected / cost.of(guesses + 1);
    if (speed <= bestSpeed) continue;
    bestSpeed = speed;
    best = guesses;
  }
  return best;
}

void PromptLookup::learn(bool wasRight) {
  right_ = right_ * guessDecay + (wasRight ? 1 : 0);
  made_ = made_ * guessDecay + 1;
}
