type Note = { isDone: boolean; readonly read: () => string | Promise<string> }

/** Notes about services and pages that run now or ended during this test. */
const notes = new Set<Note>()
const notesMax = 20
const readMs = 10_000

/**
 * Adds a text to the report of each test that fails from now on. The text is added until the end of the test that calls
 * the returned function.
 * @param read returns an empty string if there is nothing to say
 */
export function noteOnFailure(read: Note['read']): () => void {
  const note: Note = { isDone: false, read }
  if (notes.size < notesMax) notes.add(note)
  return () => {
    note.isDone = true
  }
}

/** Removes the notes that were marked as done during earlier tests. */
export function forgetDoneNotes(): void {
  for (const note of notes) if (note.isDone) notes.delete(note)
}

export async function readNotes(): Promise<string[]> {
  const texts = await Promise.all([...notes].map(({ read }) => readInTime(read)))
  return texts.filter((text) => text !== '')
}

async function readInTime(read: Note['read']): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('a note could not be read in time'), readMs)
  })
  try {
    return await Promise.race([read(), late])
  } catch (error) {
    return `a note could not be read: ${String(error)}`
  } finally {
    clearTimeout(timer)
  }
}
