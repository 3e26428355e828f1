import { codeOf } from '../storage/storage-fault.ts'

/**
 * Reports a standard output that cannot be written. A reader such as `head` that has enough is no fault. Progress and
 * messages that standard error does not take are lost, and the command goes on.
 */
export function watchOutput(): void {
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error) => {
    // Each further line fails, too.
    if (codeOf(error) !== 'EPIPE' && process.exitCode !== 1) report(error)
  })
}

/**
 * Prints a text that is not shown again, such as a new key.
 * @param loss what to say if it cannot be printed, also because its reader has gone
 */
export function printOnce(text: string, loss: string): void {
  // The callback runs before the listener of `watchOutput`, which then finds the exit code set.
  process.stdout.write(`${text}\n`, (error) => {
    if (error != null) report(error, loss)
  })
}

function report(error: Error, ...more: string[]): void {
  const fault = `Standard output cannot be written (${codeOf(error)}).`
  process.stderr.write(`pipit: ${[fault, ...more].join(' ')}\n`)
  process.exitCode = 1
}
