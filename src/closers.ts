/** Functions that close what was opened at start-up; the last one added runs first. */
export type Closers = (() => Promise<unknown> | void)[]

/**
 * Opens something in steps, each of which adds to `closers`. If a step fails, closes what the earlier ones opened.
 * @returns the opened value with a `close` that runs all closers
 */
export async function openInSteps<T>(
  open: (closers: Closers) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const closers: Closers = []
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return { ...(await open(closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}
