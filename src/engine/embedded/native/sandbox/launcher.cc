// Starts a program in a sandbox. The sandbox holds for all threads of the program, because it is
// complete before the program begins. Leaves out the layers that the kernel lacks, and names the
// others in the program's last argument: --sandbox=limits,landlock,seccomp
//
//   pipit-sandbox [--gpu] [--read PATH | --device PATH]... -- PROGRAM ARGUMENT...

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "sandbox/path-rules.h"
#include "sandbox/system-call-filter.h"

namespace {

/** Standard input, output and error, and the channel to the parent. */
constexpr unsigned keptDescriptors = 4;
constexpr rlim_t openFilesMax = 256;
constexpr long closeRange = 436;
constexpr size_t argumentsMax = 256;

struct Options {
  bool gpu = false;
  /** Index of the program in the arguments; 0 if there is none. */
  int program = 0;
};

/** Reads the options, and adds the paths to the rules. */
Options readOptions(int count, char** arguments, PathRules& rules) {
  Options options;
  for (int index = 1; index < count; index++) {
    const char* option = arguments[index];
    const bool hasNext = index + 1 < count;
    if (strcmp(option, "--gpu") == 0) {
      options.gpu = true;
    } else if (strcmp(option, "--read") == 0 && hasNext) {
      rules.allowReading(arguments[++index]);
    } else if (strcmp(option, "--device") == 0 && hasNext) {
      rules.allowDevice(arguments[++index]);
    } else {
      if (strcmp(option, "--") == 0 && hasNext) options.program = index + 1;
      break;
    }
  }
  return options;
}

/** Closes the parent's other descriptors, in case one of them lacks the close-on-exec flag. */
void closeInherited() {
  if (syscall(closeRange, keptDescriptors, ~0U, 0) == 0) return;
  const long end = sysconf(_SC_OPEN_MAX);
  for (long file = keptDescriptors; file < end && file < 65536; file++)
    close(static_cast<int>(file));
}

template <typename Resource>
bool limitTo(Resource resource, rlim_t most) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return false;
  if (limit.rlim_max > most) limit.rlim_max = most;
  if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit) == 0;
}

/** Forbids core dumps, which contain prompts. Without a GPU, also forbids writing to files. */
bool limitResources(bool gpu) {
  if (!limitTo(RLIMIT_CORE, 0)) return false;
  return gpu || (limitTo(RLIMIT_FSIZE, 0) && limitTo(RLIMIT_NOFILE, openFilesMax));
}

/** Drops root's capabilities except for reading a model file of another user. */
void dropCapabilities() {
  for (int right = 0; right <= 63; right++) {
    if (right != CAP_DAC_READ_SEARCH) prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct rights[2] = {};
  if (syscall(SYS_capget, &header, rights) != 0) return;
  const unsigned kept = 1U << CAP_DAC_READ_SEARCH;
  rights[0] = {rights[0].effective & kept, rights[0].permitted & kept, 0};
  rights[1] = {0, 0, 0};
  syscall(SYS_capset, &header, rights);
}

void appendLayer(char* text, size_t size, const char* layer) {
  if (text[strlen(text) - 1] != '=') strncat(text, ",", size - strlen(text) - 1);
  strncat(text, layer, size - strlen(text) - 1);
}

}  // namespace

int main(int count, char** arguments) {
  closeInherited();
  PathRules rules;
  const Options options = readOptions(count, arguments, rules);
  const size_t programArguments = static_cast<size_t>(count - options.program);
  if (options.program == 0 || programArguments + 2 > argumentsMax) {
    fprintf(stderr, "pipit-sandbox: wrong arguments\n");
    return 125;
  }
  char layers[64] = "--sandbox=";
  if (limitResources(options.gpu)) appendLayer(layers, sizeof(layers), "limits");
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  dropCapabilities();
  if (rules.enforce()) appendLayer(layers, sizeof(layers), "landlock");
  if (refuseHarmfulCalls(options.gpu)) appendLayer(layers, sizeof(layers), "seccomp");

  char* command[argumentsMax] = {};
  for (size_t index = 0; index < programArguments; index++) {
    command[index] = arguments[static_cast<size_t>(options.program) + index];
  }
  command[programArguments] = layers;
  execv(command[0], command);
  fprintf(stderr, "pipit-sandbox: %s: %s\n", command[0], strerror(errno));
  return 126;
}
