#include "sandbox/path-rules.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace {

// From linux/landlock.h, whose version on the building machine may be older than the kernel.
constexpr long createRuleset = 444;
constexpr long addRule = 445;
constexpr long restrictSelf = 446;
constexpr uint32_t versionFlag = 1;
constexpr int pathBeneath = 1;

constexpr uint64_t execute = 1ULL << 0;
constexpr uint64_t writeFile = 1ULL << 1;
constexpr uint64_t readFile = 1ULL << 2;
constexpr uint64_t readFolder = 1ULL << 3;
constexpr uint64_t removeFile = 1ULL << 5;
constexpr uint64_t makeFile = 1ULL << 8;
constexpr uint64_t truncateFile = 1ULL << 14;
constexpr uint64_t controlDevice = 1ULL << 15;
constexpr uint64_t firstVersion = (1ULL << 13) - 1;
constexpr uint64_t refer = 1ULL << 13;
constexpr uint64_t bindAndConnectTcp = 3;
constexpr uint64_t abstractSocketsAndSignals = 3;

struct Ruleset {
  uint64_t handledFiles;
  uint64_t handledNetwork;
  uint64_t scoped;
};

struct __attribute__((packed)) PathBeneath {
  uint64_t access;
  int32_t folder;
};

/** Returns the kinds of access that this version of Landlock can refuse. */
Ruleset refusable(long version) {
  Ruleset ruleset{firstVersion, 0, 0};
  if (version >= 2) ruleset.handledFiles |= refer;
  if (version >= 3) ruleset.handledFiles |= truncateFile;
  if (version >= 4) ruleset.handledNetwork = bindAndConnectTcp;
  if (version >= 5) ruleset.handledFiles |= controlDevice;
  if (version >= 6) ruleset.scoped = abstractSocketsAndSignals;
  // Starting programs stays allowed, because the launcher must still start the sandboxed program.
  // The addon of that program then forbids starting others.
  ruleset.handledFiles &= ~execute;
  return ruleset;
}

}  // namespace

PathRules::PathRules() {
  const long version = syscall(createRuleset, nullptr, 0, versionFlag);
  if (version < 1) return;
  const Ruleset ruleset = refusable(version);
  handled_ = ruleset.handledFiles;
  ruleset_ = static_cast<int>(syscall(createRuleset, &ruleset, sizeof(ruleset), 0));
}

PathRules::~PathRules() {
  if (ruleset_ >= 0) close(ruleset_);
}

void PathRules::allowReading(const char* path) { allow(path, readFile | readFolder); }

void PathRules::allowDevice(const char* path) {
  allow(path,
        readFile | readFolder | writeFile | makeFile | removeFile | truncateFile | controlDevice);
}

bool PathRules::enforce() { return ruleset_ >= 0 && syscall(restrictSelf, ruleset_, 0) == 0; }

void PathRules::allow(const char* path, unsigned long long access) {
  const int file = open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return;
  struct stat status;
  const bool isFolder = fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
  // The kernel rejects a rule that gives a file the rights of a folder.
  if (!isFolder) access &= ~(readFolder | makeFile | removeFile);
  const PathBeneath rule{access & handled_, file};
  syscall(addRule, ruleset_, pathBeneath, &rule, 0);
  close(file);
}
