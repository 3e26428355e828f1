import { afterEach, beforeEach } from 'vitest'
import { forgetDoneNotes, readNotes } from './failure-notes.ts'

// vitest loads this file before each test file (`setupFiles`). The notes are in another file, because programs such as
// `npm run fuzz` start services without vitest.
beforeEach(forgetDoneNotes)

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') task.meta.notes = await readNotes()
})
