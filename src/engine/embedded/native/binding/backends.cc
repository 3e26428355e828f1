#include "binding/backends.h"

#include <string>
#include <vector>

#include "ggml-backend.h"
#include "llama.h"

namespace {

std::vector<ggml_backend_dev_t> devicesOf(enum ggml_backend_dev_type type) {
  std::vector<ggml_backend_dev_t> devices;
  for (size_t index = 0; index < ggml_backend_dev_count(); index++) {
    ggml_backend_dev_t device = ggml_backend_dev_get(index);
    if (ggml_backend_dev_type(device) == type) devices.push_back(device);
  }
  return devices;
}

/** Returns the GPUs that llama.cpp chooses: integrated ones only where there are no others. */
std::vector<ggml_backend_dev_t> gpus() {
  std::vector<ggml_backend_dev_t> devices = devicesOf(GGML_BACKEND_DEVICE_TYPE_GPU);
  return devices.empty() ? devicesOf(GGML_BACKEND_DEVICE_TYPE_IGPU) : devices;
}

}  // namespace

Napi::Value loadBackends(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::string path = info[0].ToString();
  ggml_backend_load_all_from_path(path.c_str());
  if (gpus().empty() && info[1].IsString()) {
    const std::string fallbackPath = info[1].ToString();
    ggml_backend_load_all_from_path(fallbackPath.c_str());
  }
  if (devicesOf(GGML_BACKEND_DEVICE_TYPE_CPU).empty()) {
    throw Napi::Error::New(env, "llama.cpp has no CPU library for this processor");
  }
  llama_backend_init();
  Napi::Array devices = Napi::Array::New(env);
  for (ggml_backend_dev_t gpu : gpus()) {
    size_t freeBytes = 0;
    size_t totalBytes = 0;
    ggml_backend_dev_memory(gpu, &freeBytes, &totalBytes);
    Napi::Object device = Napi::Object::New(env);
    device.Set("name", ggml_backend_dev_description(gpu));
    device.Set("freeBytes", static_cast<double>(freeBytes));
    devices[devices.Length()] = device;
  }
  return devices;
}
