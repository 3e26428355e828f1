#include "model/log-ring.h"

#include <unistd.h>

#include <cstring>
#include <deque>
#include <mutex>

#include "llama.h"

namespace {

constexpr size_t linesMax = 16;
constexpr size_t lineBytesMax = 300;

// These are never destroyed, because a thread of llama.cpp may still log while the process exits.
std::mutex& mutex = *new std::mutex;
std::deque<std::string>& lines = *new std::deque<std::string>;

void keepLine(ggml_log_level level, const char* text, void*) {
  static bool continuing = false;
  std::lock_guard<std::mutex> lock(mutex);
  if (level == GGML_LOG_LEVEL_CONT) {
    if (continuing && !lines.empty() && lines.back().size() < lineBytesMax) lines.back() += text;
    return;
  }
  continuing = level == GGML_LOG_LEVEL_WARN || level == GGML_LOG_LEVEL_ERROR;
  if (!continuing) return;
  lines.emplace_back(text, strnlen(text, lineBytesMax));
  if (lines.size() > linesMax) lines.pop_front();
}

void reportAbort(const char* message) {
  // The process is about to abort, so this function must not allocate or take a lock.
  const ssize_t written = write(STDERR_FILENO, message, strlen(message));
  const ssize_t ended = write(STDERR_FILENO, "\n", 1);
  (void)written;
  (void)ended;
}

}  // namespace

void captureLogs() {
  llama_log_set(keepLine, nullptr);
  ggml_set_abort_callback(reportAbort);
}

std::string takeLoggedErrors() {
  std::lock_guard<std::mutex> lock(mutex);
  std::string joined;
  for (std::string& line : lines) {
    while (!line.empty() && line.back() == '\n') line.pop_back();
    if (line.empty()) continue;
    if (!joined.empty()) joined += "; ";
    joined += line;
  }
  lines.clear();
  return joined;
}
