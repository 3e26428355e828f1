#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/**
 * The order in which llama.cpp's flash attention sums a row. It processes 64 rows or more of one
 * sequence in tiles and fewer rows one by one, and the two give different bits (`use_tiled` in
 * ggml-cpu/ops.cpp). Neither depends on the number of rows beyond that, nor on where a chunk
 * begins.
 */
enum class RowKind : uint8_t { single, tiled };

/** The first token of a part of a prompt, and the token after its last. */
using TokenSpan = std::pair<size_t, size_t>;

struct ChunkSizes {
  /** The smallest number of rows that are computed in tiles; 0 where rows never are. */
  size_t tileRows = 0;
  /** Rows of one chunk; at least two tiles. */
  size_t rowsMax = 0;
};

/**
 * Cuts a prompt into chunks. The kind of each row follows from the prompt alone, so its bits do not
 * depend on the KV cache contents or on the cuts. Rows of the model's earlier replies are single,
 * as they were during generation; so the cache holds the bits that computing them again would give.
 */
class PrefillPlan {
 public:
  /** The prompt must not be empty; `replies` must ascend and lie inside it. */
  PrefillPlan(size_t promptTokens, const std::vector<TokenSpan>& replies, ChunkSizes sizes);

  const std::vector<RowKind>& kinds() const { return kinds_; }

  /**
   * Returns the first token to compute when the first `cached` tokens are in the cache: some tokens
   * earlier where the rest would be too few rows for a tile, and at most the last token, whose
   * logits are needed.
   */
  size_t beginAfter(size_t cached) const;

  /**
   * Returns the end of a chunk of about `rows` rows that begins at a token. It ends at the first of
   * the marks, unless it would have too few rows for its kind.
   */
  size_t chunkEnd(size_t begin, size_t rows, const std::vector<size_t>& marks) const;

 private:
  /** Returns the end of the run of rows of one kind that contains a token. */
  size_t endOfKind(size_t token) const;
  size_t chunkEndOfKind(size_t begin, size_t rows) const;

  ChunkSizes sizes_;
  std::vector<RowKind> kinds_;
};
