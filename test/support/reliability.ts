import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'

/**
 * Records a sentence on what a test saw of a fault (`F06`), threat (`T14`) or goal (`G2`), for docs/reliability.md.
 * Only `npm run reliability` sets the file to write to; other runs record nothing.
 */
export function recordFinding(id: string, sentence: string): void {
  const file = process.env['PIPIT_TEST_FINDINGS']
  if (file === undefined) return
  const { currentTestName, testPath } = expect.getState()
  const finding = { id, test: currentTestName, file: testPath, sentence }
  appendFileSync(file, `${JSON.stringify(finding)}\n`)
}
