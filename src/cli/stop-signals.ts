const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Time after a signal in which a further one counts as the same. A terminal sends Ctrl-C to a command and to npm, and npm
 * passes it on.
 */
export const sameSignalMs = 500

export type StopSignals = {
  /** Aborted by the first Ctrl-C or SIGTERM. The second one ends the process at once. */
  readonly signal: AbortSignal
  /** Exit code of a stopped command: 143 after SIGTERM, otherwise 130. */
  readonly exitCode: number
  stop(): void
}

/** Listens for Ctrl-C and SIGTERM until the process ends. */
export function listenForStop(): StopSignals {
  const stopping = new AbortController()
  let exitCode: number = exitCodes.SIGINT
  let firstMs: number | undefined
  const handle = (name: keyof typeof exitCodes) => {
    exitCode = exitCodes[name]
    if (firstMs !== undefined && performance.now() - firstMs < sameSignalMs) return
    if (stopping.signal.aborted) process.exit(exitCode)
    firstMs = performance.now()
    stopping.abort()
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
  return {
    signal: stopping.signal,
    get exitCode() {
      return exitCode
    },
    stop: () => stopping.abort(),
  }
}
