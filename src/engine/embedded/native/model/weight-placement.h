#pragma once

#include <string>
#include <vector>

#include "llama.h"

/**
 * Chooses the memory of each matrix for llama.cpp's loader. Matrices that our kernels multiply stay
 * as they are in the file. llama.cpp reorders the others, such as experts, for its own kernels where
 * a row keeps its bits beside others. Without this choice, it reorders all matrices or none.
 */
class WeightPlacement {
 public:
  /**
   * Returns true for models that llama.cpp computes wrongly with AMX. Its products with AMX leave out
   * all sequences of a batch but the first if the input has a dimension for sequences, as it has
   * before a recurrent state.
   */
  static bool mustAvoidAmx(const std::string& modelPath);

  /** Reads the header of the file; nothing is reordered if the file cannot be read. */
  WeightPlacement(const std::string& modelPath, bool avoidsAmx);
  WeightPlacement(const WeightPlacement&) = delete;
  WeightPlacement& operator=(const WeightPlacement&) = delete;

  /** Sets the parameters, which point into this object until the model is loaded. */
  void applyTo(llama_model_params& params) const;

 private:
  std::vector<std::string> patterns_;
  /** Ends with a null pattern. */
  std::vector<llama_model_tensor_buft_override> overrides_;
};
