/**
 * Memory settings that only take effect at the start of a process. Two malloc arenas: by default, each of V8's threads
 * would keep freed memory in its own arena. A young generation of at most 32 MiB: requests are short-lived, and V8's
 * default of 128 MiB would only use more memory.
 */
export const memoryEnvironment = { MALLOC_ARENA_MAX: '2' }
export const memoryOptions = ['--max-semi-space-size=16']

/**
 * Replaces this process by one with these settings, unless they, or the operator's own values, are already set. The
 * process id stays the same. Windows cannot replace a process. There the service keeps V8's default, and glibc's
 * setting has no meaning.
 */
export function applyMemorySettings(): void {
  if (process.execve === undefined || process.platform === 'win32') return
  const environment = { ...memoryEnvironment, ...process.env }
  const given = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ')
  const missing = memoryOptions.filter((option) => !given.includes(nameOf(option)))
  const isComplete = Object.keys(memoryEnvironment).every((name) => name in process.env)
  if (missing.length === 0 && isComplete) return
  const command = [process.execPath, ...process.execArgv, ...missing, ...process.argv.slice(1)]
  process.execve(process.execPath, command, environment)
}

function nameOf(option: string): string {
  return option.slice(0, option.indexOf('='))
}
