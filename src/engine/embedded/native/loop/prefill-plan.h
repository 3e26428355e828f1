#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/**
 * The order in which llama.cpp's flash attention sums a row. It processes 64 rows or more of one
 * sequence in tiles and fewer rows one by one, and the two give different bits (`use_tiled` in
 * ggml-cpu/ops.cpp). Otherwise the bits depend neither on the number of rows nor on where a chunk
 * begins.
 */
enum class RowKind : uint8_t { single, tiled };

/** Part of a prompt: the index of its first token, and the index after its last token. */
using TokenSpan = std::pair<size_t, size_t>;

struct ChunkSizes {
  /** Smallest number of rows that attention computes in tiles; 0 if it never uses tiles. */
  size_t tileRows = 0;
  /** Maximum number of rows in one chunk; at least two tiles. */
  size_t rowsMax = 0;
};

/**
 * Cuts a prompt into chunks. The kind of each row depends on the prompt alone, so its bits do not
 * depend on the KV cache contents or on the cuts. Rows of the model's earlier replies are single,
 * as they were during generation, so cached and recomputed rows have the same bits.
 */
class PrefillPlan {
 public:
  /** The prompt must not be empty; `replies` must ascend and lie inside it. */
  PrefillPlan(size_t promptTokens, const std::vector<TokenSpan>& replies, ChunkSizes sizes);

  const std::vector<RowKind>& kinds() const { return kinds_; }

  /**
   * Returns the first token to compute when the first `cached` tokens are in the cache. Some cached
   * tokens are computed again if the rest would have too few rows for a tile. The last token is
   * always computed, because its logits are needed.
   */
  size_t beginAfter(size_t cached) const;

  /**
   * Returns the end of a chunk of about `rows` rows that begins at token `begin`. The chunk ends
   * early at the first mark that leaves it enough rows for its kind.
   */
  size_t chunkEnd(size_t begin, size_t rows, const std::vector<size_t>& marks) const;

 private:
  /** Returns the end of the run of rows of one kind that contains a token. */
  size_t endOfKind(size_t token) const;
  size_t chunkEndOfKind(size_t begin, size_t rows) const;

  ChunkSizes sizes_;
  std::vector<RowKind> kinds_;
};
