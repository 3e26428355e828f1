#pragma once

/**
 * Access rules for paths, enforced by the kernel's Landlock. They refuse every path that is not
 * allowed. A new enough kernel also refuses TCP, abstract Unix sockets and signals to other
 * processes.
 */
class PathRules {
 public:
  PathRules();
  ~PathRules();
  PathRules(const PathRules&) = delete;
  PathRules& operator=(const PathRules&) = delete;

  /** Allows reading a file, or a folder with everything in it. Ignores a missing path. */
  void allowReading(const char* path);
  /** Allows using a device, or a folder with all devices and files in it. */
  void allowDevice(const char* path);
  /** Returns false if the kernel has no Landlock. Set PR_SET_NO_NEW_PRIVS first. */
  bool enforce();

 private:
  void allow(const char* path, unsigned long long access);

  unsigned long long handled_ = 0;
  int ruleset_ = -1;
};
