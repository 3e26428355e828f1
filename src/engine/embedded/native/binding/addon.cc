#include <napi.h>

#include <csignal>
#include <string>

#if defined(__linux__)
#include <sys/prctl.h>
#include <unistd.h>
#endif

#include "binding/backends.h"
#include "binding/model-header.h"
#include "binding/native-engine.h"
#include "llama.h"
#include "model/log-ring.h"
#include "sandbox/system-call-filter.h"

namespace {

/** Returns the version and commit of the loaded llama.cpp, which may differ from its headers. */
Napi::Value llamaBuild(const Napi::CallbackInfo& info) {
  const std::string build = std::string(llama_version()) + " " + ggml_commit();
  return Napi::String::New(info.Env(), build);
}

/** Makes the kernel kill this process when its parent dies, even while JavaScript is busy. */
Napi::Value dieWithParent(const Napi::CallbackInfo& info) {
#if defined(__linux__)
  const auto parent = static_cast<pid_t>(info[0].ToNumber().Int32Value());
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // The parent may have died before the first prctl.
  if (getppid() != parent) raise(SIGKILL);
#endif
  return info.Env().Undefined();
}

Napi::Value refusePrograms(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), ::refusePrograms());
}

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  captureLogs();
  exports.Set("llamaBuild", Napi::Function::New(env, llamaBuild));
  exports.Set("loadBackends", Napi::Function::New(env, loadBackends));
  exports.Set("readModelHeader", Napi::Function::New(env, readModelHeader));
  exports.Set("dieWithParent", Napi::Function::New(env, dieWithParent));
  exports.Set("refusePrograms", Napi::Function::New(env, refusePrograms));
  exports.Set("NativeEngine", NativeEngine::define(env));
  return exports;
}

}  // namespace

NODE_API_MODULE(pipit_engine, initialise)
