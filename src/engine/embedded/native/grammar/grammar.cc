#include "grammar/grammar.h"

#include <algorithm>
#include <stdexcept>

Grammar::Grammar(const int32_t* numbers, size_t count) {
  const auto isState = [&](int32_t state) {
    return state >= 0 && state < static_cast<int32_t>(ends_.size());
  };
  if (count < 2 || numbers[1] < 1 || static_cast<size_t>(numbers[1]) > count - 2 ||
      (count - 2 - numbers[1]) % 4 != 0) {
    throw std::runtime_error("these numbers are not a grammar");
  }
  start_ = numbers[0];
  ends_.assign(numbers + 2, numbers + 2 + numbers[1]);
  for (size_t index = 2 + ends_.size(); index < count; index += 4) {
    edges_.push_back({static_cast<Kind>(numbers[index]), numbers[index + 1], numbers[index + 2],
                      numbers[index + 3]});
  }
  const bool endsFit = std::is_sorted(ends_.begin(), ends_.end()) && ends_.front() >= 0 &&
                       static_cast<size_t>(ends_.back()) == edges_.size();
  const bool edgesFit = std::all_of(edges_.begin(), edges_.end(), [&](const Edge& edge) {
    const bool isKind = edge.kind >= Kind::bytes && edge.kind <= Kind::end;
    return isKind && isState(edge.to) && (!edge.isCall() || isState(edge.a));
  });
  hasFewKeys_ = std::any_of(edges_.begin(), edges_.end(),
                            [](const Edge& edge) { return edge.kind == Kind::key && edge.b != 0; });
  if (!isState(start_) || !endsFit || !edgesFit)
    throw std::runtime_error("these numbers are not a grammar");
}
