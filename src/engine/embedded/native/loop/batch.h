#pragma once

#include <exception>

#include "llama.h"

/** The rows of one decode: tokens, each at a position of a sequence. */
class Batch {
 public:
  explicit Batch(int rowsMax) : batch_(llama_batch_init(rowsMax, 0, 1)) {}
  ~Batch() { llama_batch_free(batch_); }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  int rows() const { return batch_.n_tokens; }
  llama_pos position(int row) const { return batch_.pos[row]; }
  void clear() { batch_.n_tokens = 0; }

  void add(llama_seq_id sequence, llama_pos position, llama_token token, bool needsLogits) {
    const int row = batch_.n_tokens++;
    batch_.token[row] = token;
    batch_.pos[row] = position;
    batch_.n_seq_id[row] = 1;
    batch_.seq_id[row][0] = sequence;
    batch_.logits[row] = needsLogits;
  }

  /**
   * Returns false when the decode fails; the KV cache contents of its sequences are then unknown.
   */
  bool decode(llama_context* context) {
    try {
      return llama_decode(context, batch_) == 0;
    } catch (const std::exception&) {
      return false;
    }
  }

 private:
  llama_batch batch_;
};
