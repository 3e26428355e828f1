/**
 * Functions that close what was opened at start-up; the last one added runs first. Their argument is false after a
 * start that failed.
 */
export type Closers = ((hasStarted: boolean) => Promise<unknown> | void)[]

/**
 * Opens something in steps, each of which adds to `closers`. If a step fails, closes what the earlier ones opened.
 * @returns the opened value with a `close` that runs all closers. A second call waits for the first
 */
export async function openInSteps<T>(
  open: (closers: Closers) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const closers: Closers = []
  let closing: Promise<void> | undefined
  const close = (hasStarted = true): Promise<void> => (closing ??= closeAll(closers, hasStarted))
  try {
    return { ...(await open(closers)), close: () => close() }
  } catch (error) {
    // The error of the step is the cause, so that of a closer is dropped.
    await close(false).catch(() => {})
    throw error
  }
}

/** @throws the first error of a closer, once all have run */
async function closeAll(closers: Closers, hasStarted: boolean): Promise<void> {
  const errors: unknown[] = []
  for (const closer of closers.toReversed())
    try {
      await closer(hasStarted)
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
}
