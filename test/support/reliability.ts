import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'

/**
 * Records what a test saw of a fault (`F06`), threat (`T14`) or goal (`G2`), for docs/reliability.md. `npm run
 * reliability` names the file; any other run records nothing.
 */
export function recordFinding(id: string, sentence: string): void {
  const file = process.env['PIPIT_TEST_FINDINGS']
  if (file === undefined) return
  const { currentTestName, testPath } = expect.getState()
  const finding = { id, test: currentTestName, file: testPath, sentence }
  appendFileSync(file, `${JSON.stringify(finding)}\n`)
}
