type Messages = { role: 'user'; content: string }[]

const words =
  'a the and of to in that it was for on with he she they said house river garden morning light road friend letter table winter children story small old green quiet walked found looked made water stone bird tree hand door window night city train music paper bread market summer rain'.split(
    ' ',
  )

/** Returns a writer of prompts that differ from the first word on, so that no prefix cache helps. */
export function promptWriter(run: string): (index: number, length: number) => Messages {
  return (index, length) => {
    const task = 'Write a long story with many details from these words:'
    const content = `${index} ${run}. ${task} ${randomWords(`${run} ${index}`, length)}.`
    return [{ role: 'user', content }]
  }
}

/** Returns random words, the same for the same seed. */
export function randomWords(seed: string, length: number): string {
  const random = randomIndices(seed)
  return Array.from({ length }, () => words[random(words.length)]).join(' ')
}

/** Returns sentences that read like prose, the same for the same seed. */
export function randomSentences(seed: string, count: number): string[] {
  const random = randomIndices(seed)
  const pick = (choices: readonly string[]) => choices[random(choices.length)] ?? ''
  return Array.from(
    { length: count },
    () => `${pick(persons)} ${pick(deeds)} ${pick(things)} ${pick(places)} ${pick(times)}.`,
  )
}

const persons =
  'Anna,My neighbour,The new teacher,Peter,The old baker,Our driver,Maria,A young engineer'.split(
    ',',
  )
const deeds = 'found,repaired,sold,painted,forgot,carried,photographed,cleaned'.split(',')
const things =
  'a green bicycle,the kitchen table,two wooden chairs,an old radio,the red boat,a box of letters,the garden gate,a silver watch'.split(
    ',',
  )
const places =
  'in the village,near the station,behind the school,at the harbour,on the market square,in front of the library'.split(
    ',',
  )
const times =
  'on Monday,last winter,before breakfast,in the afternoon,after the storm,three weeks ago'.split(
    ',',
  )

function randomIndices(seed: string): (limit: number) => number {
  let state = hash(seed)
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 16) % limit
  }
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return value >>> 0
}
