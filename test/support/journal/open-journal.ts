import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { newDataDir } from '../process.ts'
import { ClientJournal } from './client-journal.ts'

/** Opens a journal for the running test. Closes and removes it when the test has ended. */
export function openJournal(): ClientJournal {
  const folder = newDataDir()
  const journal = new ClientJournal(join(folder, 'journal'))
  onTestFinished(() => {
    journal.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return journal
}
