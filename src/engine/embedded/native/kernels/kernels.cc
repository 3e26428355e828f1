#include "kernels/kernels.h"

#include <array>

// Each returns null where the processor, or the compiler of this addon, lacks the instructions.
const Kernels* avx512VnniKernels();
const Kernels* avxVnniKernels();
const Kernels* avx2Kernels();

namespace {

/** Returns the kernels in order of speed, fastest first. */
std::array<const Kernels*, 3> allKernels() {
  return {avx512VnniKernels(), avxVnniKernels(), avx2Kernels()};
}

}  // namespace

const Kernels* bestKernels() {
  for (const Kernels* kernels : allKernels()) {
    if (kernels != nullptr) return kernels;
  }
  return nullptr;
}

const Kernels* findKernels(const std::string& name) {
  for (const Kernels* kernels : allKernels()) {
    if (kernels != nullptr && name == kernels->name) return kernels;
  }
  return nullptr;
}
