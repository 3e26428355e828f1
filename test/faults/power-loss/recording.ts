import { readFileSync } from 'node:fs'

/** One call of the service that recorder.cc recorded. */
export type Event =
  | { readonly type: 'write'; readonly file: FileName; readonly at: number; readonly bytes: Buffer }
  | { readonly type: 'truncate'; readonly file: FileName; readonly size: number }
  /** A flush that covers the events before `from`. */
  | { readonly type: 'flush'; readonly file: FileName; readonly from: number }
  | { readonly type: 'send'; readonly socket: number; readonly text: string }

/** The names of the files in the data directory. */
export const fileNames = ['pipit.db', 'pipit.db-wal'] as const
export type FileName = (typeof fileNames)[number]

const headerBytes = 24

/** Reads the recorder's file. Leaves out a last event that is incomplete because of a kill. */
export function readRecording(path: string): Event[] {
  const all = readFileSync(path)
  const events: Event[] = []
  for (let at = 0; at + headerBytes <= all.length;) {
    const [kind, file] = [all.readUInt32LE(at), all.readInt32LE(at + 4)]
    const [place, length] = [all.readBigUInt64LE(at + 8), all.readBigUInt64LE(at + 16)].map(Number)
    const begin = at + headerBytes
    at = begin + length!
    if (at > all.length) break
    events.push(toEvent(kind, file, place!, all.subarray(begin, at)))
  }
  return events
}

function toEvent(kind: number, file: number, place: number, bytes: Buffer): Event {
  if (kind === 4) return { type: 'send', socket: file, text: bytes.toString('latin1') }
  const name = fileNames[file]
  if (name === undefined) throw new Error(`the recording names file ${file}`)
  switch (kind) {
    case 1:
      return { type: 'write', file: name, at: place, bytes }
    case 2:
      return { type: 'truncate', file: name, size: place }
    case 3:
      return { type: 'flush', file: name, from: place }
    default:
      throw new Error(`the recording has an event of kind ${kind}`)
  }
}

/**
 * Returns the index of the event that acknowledged each reply, by request id: the send of a whole reply, or of a
 * stream's `[DONE]`.
 */
export function acknowledgements(events: readonly Event[]): Map<string, number> {
  const streamOf = new Map<number, string>()
  const found = new Map<string, number>()
  for (const [index, event] of events.entries()) {
    if (event.type !== 'send') continue
    const id = /^x-request-id: (\S+)/im.exec(event.text)?.[1]
    if (id !== undefined && /^content-type: text\/event-stream/im.test(event.text))
      streamOf.set(event.socket, id)
    else if (id !== undefined) found.set(id, index)
    const stream = streamOf.get(event.socket)
    if (stream === undefined || !event.text.includes('data: [DONE]')) continue
    found.set(stream, index)
    streamOf.delete(event.socket)
  }
  return found
}
