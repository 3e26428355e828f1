#pragma once

/**
 * Rules on paths by the kernel's Landlock: everything that is not allowed is refused, and so are
 * TCP, abstract Unix sockets and signals to other processes where the kernel is new enough.
 */
class PathRules {
 public:
  PathRules();
  ~PathRules();
  PathRules(const PathRules&) = delete;
  PathRules& operator=(const PathRules&) = delete;

  /** Allows to read a file, or a folder with all that it contains. A missing path is ignored. */
  void allowReading(const char* path);
  /** Allows to use a device, or a folder with all devices and files in it. */
  void allowDevice(const char* path);
  /** Returns false where the kernel has no Landlock. The caller has set PR_SET_NO_NEW_PRIVS. */
  bool enforce();

 private:
  void allow(const char* path, unsigned long long access);

  unsigned long long handled_ = 0;
  int ruleset_ = -1;
};
