// Preloaded into a service: records every write and flush of its database files and every send to a
// socket, in one order, to the file that RECORD_TO names. recording.ts reads it.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

enum Kind : uint32_t { kindWrite = 1, kindTruncate = 2, kindFlush = 3, kindSend = 4 };

struct Header {
  uint32_t kind;
  /** 0 for the database, 1 for its journal; the socket's descriptor for a send. */
  int32_t file;
  /** Offset of a write, size of a truncation, or number of records before a flush began. */
  uint64_t at;
  uint64_t bytes;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int logFile = -1;
uint64_t records = 0;

template <typename Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

class Lock {
 public:
  Lock() { pthread_mutex_lock(&mutex); }
  ~Lock() { pthread_mutex_unlock(&mutex); }
};

void writeAll(const void* data, size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const long written = syscall(SYS_write, logFile, next, bytes);
    if (written <= 0) abort();
    next += written;
    bytes -= static_cast<size_t>(written);
  }
}

/** The caller holds the lock. */
void append(const Header& header, const void* data) {
  if (logFile < 0) {
    const char* path = getenv("RECORD_TO");
    if (path == nullptr) abort();
    logFile = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (logFile < 0) abort();
  }
  writeAll(&header, sizeof header);
  if (header.kind == kindWrite || header.kind == kindSend) writeAll(data, header.bytes);
  records += 1;
}

/** Returns 0 for the database, 1 for its journal, -1 for any other file. */
int databaseFile(int descriptor) {
  char link[64] = "/proc/self/fd/";
  char digits[12];
  int length = 0;
  for (int rest = descriptor; rest > 0 || length == 0; rest /= 10)
    digits[length++] = static_cast<char>('0' + rest % 10);
  char* end = link + strlen(link);
  while (length > 0) *end++ = digits[--length];
  char path[4096];
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return -1;
  path[size] = 0;
  const char* name = strrchr(path, '/');
  if (name == nullptr) return -1;
  if (strcmp(name, "/pipit.db") == 0) return 0;
  return strcmp(name, "/pipit.db-wal") == 0 ? 1 : -1;
}

bool isSocket(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode);
}

ssize_t recordWrite(int descriptor, const void* data, size_t bytes, off64_t at) {
  using Write = ssize_t (*)(int, const void*, size_t, off64_t);
  static const Write write = real<Write>("pwrite64");
  const int file = databaseFile(descriptor);
  if (file < 0) return write(descriptor, data, bytes, at);
  const Lock lock;
  const ssize_t written = write(descriptor, data, bytes, at);
  if (written > 0)
    append({kindWrite, file, static_cast<uint64_t>(at), static_cast<uint64_t>(written)}, data);
  return written;
}

int recordTruncation(int descriptor, off64_t size) {
  using Truncate = int (*)(int, off64_t);
  static const Truncate truncate = real<Truncate>("ftruncate64");
  const int file = databaseFile(descriptor);
  if (file < 0) return truncate(descriptor, size);
  const Lock lock;
  const int result = truncate(descriptor, size);
  if (result == 0) append({kindTruncate, file, static_cast<uint64_t>(size), 0}, nullptr);
  return result;
}

int recordFlush(int descriptor, const char* name) {
  const auto flush = real<int (*)(int)>(name);
  const int file = databaseFile(descriptor);
  if (file < 0) return flush(descriptor);
  uint64_t before;
  {
    const Lock lock;
    before = records;
  }
  const int result = flush(descriptor);
  const Lock lock;
  if (result == 0) append({kindFlush, file, before, 0}, nullptr);
  return result;
}

void recordSend(int descriptor, const void* data, size_t bytes) {
  const Lock lock;
  append({kindSend, descriptor, 0, bytes}, data);
}

}  // namespace

extern "C" {

ssize_t pwrite(int descriptor, const void* data, size_t bytes, off_t at) {
  return recordWrite(descriptor, data, bytes, at);
}

ssize_t pwrite64(int descriptor, const void* data, size_t bytes, off64_t at) {
  return recordWrite(descriptor, data, bytes, at);
}

int ftruncate(int descriptor, off_t size) { return recordTruncation(descriptor, size); }

int ftruncate64(int descriptor, off64_t size) { return recordTruncation(descriptor, size); }

int fsync(int descriptor) { return recordFlush(descriptor, "fsync"); }

int fdatasync(int descriptor) { return recordFlush(descriptor, "fdatasync"); }

ssize_t write(int descriptor, const void* data, size_t bytes) {
  using Write = ssize_t (*)(int, const void*, size_t);
  static const Write realWrite = real<Write>("write");
  if (isSocket(descriptor)) recordSend(descriptor, data, bytes);
  if (databaseFile(descriptor) < 0) return realWrite(descriptor, data, bytes);
  // An SQLite library that was built without pwrite calls lseek, then write.
  const off64_t at = lseek64(descriptor, 0, SEEK_CUR);
  const ssize_t written = recordWrite(descriptor, data, bytes, at);
  if (written > 0) lseek64(descriptor, at + written, SEEK_SET);
  return written;
}

ssize_t writev(int descriptor, const struct iovec* parts, int count) {
  using Writev = ssize_t (*)(int, const struct iovec*, int);
  static const Writev realWritev = real<Writev>("writev");
  if (isSocket(descriptor))
    for (int index = 0; index < count; index++)
      recordSend(descriptor, parts[index].iov_base, parts[index].iov_len);
  return realWritev(descriptor, parts, count);
}

}  // extern "C"
