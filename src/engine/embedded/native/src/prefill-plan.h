#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/**
 * How flash attention adds up a row: 64 rows or more of one sequence are worked on in tiles, fewer
 * one by one, and the two give other bits (ggml-cpu/ops.cpp, `use_tiled`). Neither depends on how
 * many rows there are beyond that, nor on where a chunk of them begins.
 */
enum class RowKind : uint8_t { single, tiled };

/** Begin and end of a piece of a prompt, in tokens. */
using TokenSpan = std::pair<size_t, size_t>;

struct ChunkSizes {
  /** From so many rows on the rows are tiled; 0 when they never are. */
  size_t tileRows = 0;
  /** Rows of one chunk at most; two tiles or more. */
  size_t rowsMax = 0;
};

/**
 * In which chunks a prompt is computed. The kind of each row follows from the prompt alone, so its
 * bits are the same whatever is found in the KV cache and however the chunks are cut. Earlier
 * replies of the model are single rows, as they were when they were generated: so they are found
 * in the cache with the bits that computing them again would give.
 */
class PrefillPlan {
 public:
  /** `replies` ascend and lie inside the prompt, which is not empty. */
  PrefillPlan(size_t promptTokens, const std::vector<TokenSpan>& replies, ChunkSizes sizes);

  const std::vector<RowKind>& kinds() const { return kinds_; }

  /**
   * Where to begin when the first `cached` tokens are there: a few tokens earlier, where the rest
   * would be too little for a row of its kind. The last token is never left out.
   */
  size_t beginAfter(size_t cached) const;

  /** The end of a chunk of about `rows` rows. */
  size_t chunkEnd(size_t begin, size_t rows) const;

 private:
  /** The end of the rows of one kind around a token. */
  size_t endOfKind(size_t token) const;

  ChunkSizes sizes_;
  std::vector<RowKind> kinds_;
};
