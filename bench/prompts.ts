type Messages = { role: 'user'; content: string }[]

const words =
  'a the and of to in that it was for on with he she they said house river garden morning light road friend letter table winter children story small old green quiet walked found looked made water stone bird tree hand door window night city train music paper bread market summer rain'.split(
    ' ',
  )

/** Prompts that differ from their first word on, so that no prefix cache helps anybody. */
export function promptWriter(run: string): (index: number, length: number) => Messages {
  return (index, length) => {
    const task = 'Write a long story with many details from these words:'
    const content = `${index} ${run}. ${task} ${randomWords(`${run} ${index}`, length)}.`
    return [{ role: 'user', content }]
  }
}

/** The same words for the same seed. */
export function randomWords(seed: string, length: number): string {
  let state = hash(seed)
  const chosen = Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return words[(state >>> 16) % words.length]
  })
  return chosen.join(' ')
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return value >>> 0
}
