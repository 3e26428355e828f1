#pragma once

/**
 * Refuses the system calls that an engine never makes: network, new processes, other processes,
 * and the administration of the machine. The filter holds for the calling thread, for the threads
 * and processes that it starts, and across execve. Returns false if the kernel has no seccomp
 * filters.
 * @param mayWriteFiles false also refuses to change files and to open them for writing
 */
bool refuseHarmfulCalls(bool mayWriteFiles);

/**
 * Forbids all threads of this process to start programs from now on. Returns false if the kernel
 * has no seccomp filters.
 */
bool refusePrograms();
