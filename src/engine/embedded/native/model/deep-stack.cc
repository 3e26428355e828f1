#include "model/deep-stack.h"

#include <pthread.h>

#include <exception>
#include <stdexcept>

namespace {

struct Call {
  const std::function<void()>& run;
  std::exception_ptr error;
};

void* runCall(void* argument) {
  Call& call = *static_cast<Call*>(argument);
  try {
    call.run();
  } catch (...) {
    call.error = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void runOnDeepStack(size_t stackBytes, const std::function<void()>& run) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  Call call{run, nullptr};
  pthread_t thread;
  const int failure = pthread_create(&thread, &attributes, runCall, &call);
  pthread_attr_destroy(&attributes);
  if (failure != 0) throw std::runtime_error("its tokenising takes more memory than there is");
  pthread_join(thread, nullptr);
  if (call.error != nullptr) std::rethrow_exception(call.error);
}
