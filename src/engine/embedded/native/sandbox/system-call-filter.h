#pragma once

/**
 * Refuses the system calls that an engine never makes: network, new processes, other processes,
 * and the administration of the machine. The filter holds for the calling thread and for all that
 * it starts, across execve. Returns false where the kernel has no seccomp filters.
 * @param mayWriteFiles false also refuses to open, create, rename and remove files for writing
 */
bool refuseHarmfulCalls(bool mayWriteFiles);

/**
 * Refuses to start programs, from now on and on all threads of this process. Returns false where
 * the kernel has no seccomp filters.
 */
bool refusePrograms();
