#include "sandbox/system-call-filter.h"

#if defined(__linux__)
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

#if defined(__x86_64__)
#define PIPIT_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define PIPIT_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif
#endif

#if defined(PIPIT_AUDIT_ARCH)

// Numbers that are the same on all processors, for headers older than the calls.
#define PIPIT_CALL_PIDFD_SEND_SIGNAL 424
#define PIPIT_CALL_IO_URING_SETUP 425
#define PIPIT_CALL_IO_URING_ENTER 426
#define PIPIT_CALL_IO_URING_REGISTER 427
#define PIPIT_CALL_OPEN_TREE 428
#define PIPIT_CALL_MOVE_MOUNT 429
#define PIPIT_CALL_FSOPEN 430
#define PIPIT_CALL_FSCONFIG 431
#define PIPIT_CALL_FSMOUNT 432
#define PIPIT_CALL_FSPICK 433
#define PIPIT_CALL_CLONE3 435
#define PIPIT_CALL_OPENAT2 437
#define PIPIT_CALL_PIDFD_GETFD 438
#define PIPIT_CALL_PROCESS_MADVISE 440
#define PIPIT_CALL_MOUNT_SETATTR 442
#define PIPIT_CALL_QUOTACTL_FD 443
#define PIPIT_CALL_PROCESS_MRELEASE 448
#define PIPIT_CALL_FCHMODAT2 452
#define PIPIT_CALL_SETXATTRAT 463
#define PIPIT_CALL_REMOVEXATTRAT 466
#define PIPIT_CALL_FILE_SETATTR 469

namespace {

/**
 * System calls to refuse with any arguments. The IPC channel to the parent needs none of them,
 * because it is inherited.
 */
constexpr int harmfulCalls[] = {
    // Network.
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
// New processes; threads are `clone` with CLONE_THREAD.
#if defined(SYS_fork)
    SYS_fork,
    SYS_vfork,
#endif
    // Other processes: their memory, descriptors, signals and priorities.
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    PIPIT_CALL_PIDFD_GETFD,
    PIPIT_CALL_PIDFD_SEND_SIGNAL,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    PIPIT_CALL_PROCESS_MADVISE,
    PIPIT_CALL_PROCESS_MRELEASE,
    SYS_move_pages,
    SYS_migrate_pages,
    SYS_ioprio_set,
    SYS_sched_setscheduler,
    SYS_sched_setparam,
    SYS_sched_setattr,
    // Identity and namespaces.
    SYS_setuid,
    SYS_setgid,
    SYS_setreuid,
    SYS_setregid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_setfsuid,
    SYS_setfsgid,
    SYS_setgroups,
    SYS_capset,
    SYS_setns,
    SYS_unshare,
    SYS_setpgid,
    SYS_setsid,
    SYS_personality,
    // Kernel interfaces with many past vulnerabilities.
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    PIPIT_CALL_IO_URING_SETUP,
    PIPIT_CALL_IO_URING_ENTER,
    PIPIT_CALL_IO_URING_REGISTER,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_fanotify_init,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
#if defined(SYS_modify_ldt)
    SYS_modify_ldt,
    SYS_iopl,
    SYS_ioperm,
#endif
    // Mounts.
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    PIPIT_CALL_OPEN_TREE,
    PIPIT_CALL_MOVE_MOUNT,
    PIPIT_CALL_FSOPEN,
    PIPIT_CALL_FSCONFIG,
    PIPIT_CALL_FSMOUNT,
    PIPIT_CALL_FSPICK,
    PIPIT_CALL_MOUNT_SETATTR,
    // Administration of the machine.
    SYS_reboot,
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    PIPIT_CALL_QUOTACTL_FD,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_syslog,
    SYS_vhangup,
#if defined(SYS_kexec_file_load)
    SYS_kexec_file_load,
#endif
};

/** Calls that change files or folders without a descriptor that is open for writing. */
constexpr int fileChanges[] = {
#if defined(SYS_creat)
    SYS_creat,
    SYS_rename,
    SYS_mkdir,
    SYS_rmdir,
    SYS_link,
    SYS_unlink,
    SYS_symlink,
    SYS_mknod,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
#if defined(SYS_renameat)
    SYS_renameat,
#endif
    SYS_renameat2,
    SYS_mkdirat,
    SYS_linkat,
    SYS_unlinkat,
    SYS_symlinkat,
    SYS_mknodat,
    SYS_fchmod,
    SYS_fchmodat,
    PIPIT_CALL_FCHMODAT2,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_truncate,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    PIPIT_CALL_SETXATTRAT,
    PIPIT_CALL_REMOVEXATTRAT,
    PIPIT_CALL_FILE_SETATTR,
};

constexpr size_t instructionsMax = 512;
// Two instructions for each call, and 96 for the rules that look at arguments.
static_assert(2 * (std::size(harmfulCalls) + std::size(fileChanges)) + 96 <= instructionsMax,
              "the filter is too long");

constexpr uint32_t writingFlags = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;

/** A program for the kernel's packet filter (BPF) that decides on each system call. */
class FilterProgram {
 public:
  /** Kills a process that makes system calls of another architecture, such as 32-bit ones. */
  FilterProgram() {
    load(offsetof(seccomp_data, arch));
    jump(BPF_JEQ, PIPIT_AUDIT_ARCH, 1, 0);
    answer(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
    // Call numbers of the x32 interface would evade the comparisons below.
    jump(BPF_JGE, 0x40000000, 0, 1);
    refuse(ENOSYS);
#endif
  }

  template <size_t count>
  void refuseAll(const int (&calls)[count]) {
    for (int call : calls) refuseCall(call, EPERM);
  }

  void refuseCall(int call, int error) {
    jump(BPF_JEQ, call, 0, 1);
    refuse(error);
  }

  /** Allows the call only if its first argument has one of two values. */
  void requireArgument(int call, uint32_t first, uint32_t second) {
    jump(BPF_JEQ, call, 0, 5);
    load(argument(0));
    jump(BPF_JEQ, first, 1, 0);
    jump(BPF_JEQ, second, 0, 1);
    answer(SECCOMP_RET_ALLOW);
    refuse(EPERM);
  }

  /** Allows the call only where its first two arguments are 0. */
  void requireZeros(int call) {
    jump(BPF_JEQ, call, 0, 6);
    load(argument(0));
    jump(BPF_JEQ, 0, 0, 3);
    load(argument(1));
    jump(BPF_JEQ, 0, 0, 1);
    answer(SECCOMP_RET_ALLOW);
    refuse(EPERM);
  }

  /** Refuses the call if its second argument is one of these requests. */
  void refuseRequests(int call, std::initializer_list<uint32_t> requests) {
    const auto count = static_cast<unsigned char>(requests.size());
    jump(BPF_JEQ, call, 0, static_cast<unsigned char>(2 * count + 2));
    load(argument(1));
    for (uint32_t request : requests) {
      jump(BPF_JEQ, request, 0, 1);
      refuse(EPERM);
    }
    answer(SECCOMP_RET_ALLOW);
  }

  /**
   * Allows the call only if an argument has at least one of the bits set. If `present` is false,
   * allows it only if none of them is set.
   */
  void requireBits(int call, unsigned index, uint32_t bits, bool present, int error) {
    jump(BPF_JEQ, call, 0, 4);
    load(argument(index));
    jump(BPF_JSET, bits, present ? 0 : 1, present ? 1 : 0);
    answer(SECCOMP_RET_ALLOW);
    refuse(error);
  }

  /** Installs the filter; call it once. */
  bool install(bool onAllThreads) {
    answer(SECCOMP_RET_ALLOW);
    sock_fprog program{static_cast<unsigned short>(length_), instructions_};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    const unsigned flags = onAllThreads ? SECCOMP_FILTER_FLAG_TSYNC : 0;
    // Without this flag, old kernels make every load from memory slower.
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                &program) == 0) {
      return true;
    }
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0;
  }

 private:
  /** Returns the offset of the low half of an argument, on little-endian processors. */
  static uint32_t argument(unsigned index) {
    return offsetof(seccomp_data, args) + index * sizeof(uint64_t);
  }

  void load(uint32_t offset) { append(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)); }

  void jump(unsigned short comparison, uint32_t value, unsigned char ifTrue,
            unsigned char ifFalse) {
    append(BPF_JUMP(static_cast<unsigned short>(BPF_JMP | comparison | BPF_K), value, ifTrue,
                    ifFalse));
  }

  void answer(uint32_t action) { append(BPF_STMT(BPF_RET | BPF_K, action)); }

  void refuse(int error) { answer(SECCOMP_RET_ERRNO | (static_cast<uint32_t>(error) & 0xffff)); }

  void append(sock_filter instruction) { instructions_[length_++] = instruction; }

  sock_filter instructions_[instructionsMax];
  size_t length_ = 0;
};

}  // namespace

bool refuseHarmfulCalls(bool mayWriteFiles) {
  FilterProgram program;
  program.refuseAll(harmfulCalls);
  const auto self = static_cast<uint32_t>(getpid());
  program.requireArgument(SYS_kill, self, self);
  program.requireArgument(SYS_tgkill, self, self);
  program.requireArgument(SYS_prlimit64, self, 0);
  program.requireArgument(SYS_sched_setaffinity, self, 0);
  // PRIO_PROCESS and 0 mean the calling thread: a tokenising thread lowers its own priority.
  program.requireZeros(SYS_setpriority);
  // The first two requests would type into the operator's terminal. The others would let the kernel
  // signal another process as soon as a file is ready.
  program.refuseRequests(SYS_ioctl, {TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP});
  program.refuseRequests(SYS_fcntl, {F_SETOWN, F_SETOWN_EX, F_SETSIG});
  program.requireBits(SYS_clone, 0, CLONE_THREAD, true, EPERM);
  // The flags of clone3 are in memory, where a filter cannot read them. C libraries fall back to
  // clone.
  program.refuseCall(PIPIT_CALL_CLONE3, ENOSYS);
  if (!mayWriteFiles) {
    program.refuseAll(fileChanges);
#if defined(SYS_open)
    program.requireBits(SYS_open, 1, writingFlags, false, EACCES);
#endif
    program.requireBits(SYS_openat, 2, writingFlags, false, EACCES);
    program.refuseCall(PIPIT_CALL_OPENAT2, ENOSYS);
  }
  return program.install(false);
}

bool refusePrograms() {
  FilterProgram program;
  program.refuseCall(SYS_execve, EPERM);
  program.refuseCall(SYS_execveat, EPERM);
  return program.install(true);
}

#else

bool refuseHarmfulCalls(bool) { return false; }

bool refusePrograms() { return false; }

#endif
