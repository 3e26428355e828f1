#include "kernels.h"

/** Each null where the processor, or the compiler of this addon, does not know the instructions. */
const Kernels* avx512VnniKernels();
const Kernels* avxVnniKernels();

const Kernels* findKernels(const std::string& name) {
  for (const Kernels* kernels : {avx512VnniKernels(), avxVnniKernels()}) {
    if (kernels != nullptr && (name.empty() || name == kernels->name)) return kernels;
  }
  return nullptr;
}
