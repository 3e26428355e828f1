#include "loop/prefill-plan.h"

#include <algorithm>

PrefillPlan::PrefillPlan(size_t promptTokens, const std::vector<TokenSpan>& replies,
                         ChunkSizes sizes)
    : sizes_(sizes), kinds_(promptTokens, RowKind::single) {
  if (sizes.tileRows == 0) return;
  const auto tile = [&](size_t begin, size_t end) {
    if (end < begin + sizes.tileRows) return;
    std::fill(kinds_.begin() + begin, kinds_.begin() + end, RowKind::tiled);
  };
  size_t begin = 0;
  for (const auto& [replyBegin, replyEnd] : replies) {
    tile(begin, replyBegin);
    begin = replyEnd;
  }
  tile(begin, promptTokens);
}

size_t PrefillPlan::beginAfter(size_t cached) const {
  const size_t begin = std::min(cached, kinds_.size() - 1);
  if (kinds_[begin] == RowKind::single) return begin;
  // A run of tiled rows has at least one tile, so the result stays inside the run.
  return std::min(begin, endOfKind(begin) - sizes_.tileRows);
}

size_t PrefillPlan::chunkEnd(size_t begin, size_t rows, const std::vector<size_t>& marks) const {
  const size_t end = chunkEndOfKind(begin, rows);
  const size_t rowsMin = kinds_[begin] == RowKind::tiled ? sizes_.tileRows : 1;
  for (const size_t mark : marks) {
    if (mark >= begin + rowsMin && mark < end) return mark;
  }
  return end;
}

size_t PrefillPlan::chunkEndOfKind(size_t begin, size_t rows) const {
  const size_t rest = endOfKind(begin) - begin;
  if (sizes_.tileRows == 0) return begin + std::min({rest, rows, sizes_.rowsMax});
  if (kinds_[begin] == RowKind::single) return begin + std::min({rest, rows, sizes_.tileRows - 1});
  const size_t wanted = std::clamp(rows, sizes_.tileRows, sizes_.rowsMax);
  if (rest <= wanted) return begin + rest;
  // The rows after the chunk must fill a tile too.
  if (rest >= wanted + sizes_.tileRows) return begin + wanted;
  return begin + (rest <= sizes_.rowsMax ? rest : rest - sizes_.tileRows);
}

size_t PrefillPlan::endOfKind(size_t token) const {
  const auto from = kinds_.begin() + token;
  const auto end = std::find_if(from, kinds_.end(), [&](RowKind kind) { return kind != *from; });
  return end - kinds_.begin();
}
