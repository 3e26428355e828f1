import { type Event, type FileName, fileNames } from './recording.ts'

/** Outcomes for the writes that were not flushed when the power failed. */
export type Loss =
  | { readonly type: 'all' }
  /** Each write is lost or kept at random, whatever its position. */
  | { readonly type: 'some' }
  /** Each block of this size is lost or kept at random. */
  | { readonly type: 'torn'; readonly blockBytes: 512 | 4096 }
  | { readonly type: 'none' }

type Change = Extract<Event, { type: 'write' | 'truncate' }>
type Pending = { index: number; change: Change }

/** Replays a recording, and returns the contents of the disk after a power loss at chosen moments. */
export class Disk {
  readonly #events: readonly Event[]
  readonly #files = new Map(fileNames.map((name) => [name, new FileOnDisk()]))
  #next = 0

  constructor(events: readonly Event[]) {
    this.#events = events
  }

  /**
   * Returns the files after a power loss right before event number `moment`, which must not be lower than in earlier
   * calls.
   * @param random returns numbers from 0 to 1, and decides what is lost
   */
  failAt(moment: number, loss: Loss, random: () => number): Map<FileName, Buffer> {
    for (; this.#next < moment; this.#next += 1) this.#follow(this.#events[this.#next]!)
    return new Map([...this.#files].map(([name, file]) => [name, file.after(loss, random)]))
  }

  #follow(event: Event): void {
    switch (event.type) {
      case 'write':
      case 'truncate':
        this.#files.get(event.file)?.pending.push({ index: this.#next, change: event })
        break
      case 'flush':
        this.#files.get(event.file)?.flush(event.from)
        break
      case 'send':
    }
  }
}

class FileOnDisk {
  pending: Pending[] = []
  readonly #flushed = new Content()

  flush(from: number): void {
    for (const { index, change } of this.pending) if (index < from) this.#flushed.apply(change)
    this.pending = this.pending.filter(({ index }) => index >= from)
  }

  after(loss: Loss, random: () => number): Buffer {
    const content = this.#flushed.copy()
    for (const { change } of this.pending)
      for (const part of partsOf(change, loss)) if (isKept(loss, random)) content.apply(part)
    return content.bytes
  }
}

function partsOf(change: Change, loss: Loss): Change[] {
  if (loss.type !== 'torn' || change.type === 'truncate') return [change]
  const parts: Change[] = []
  for (let from = 0; from < change.bytes.length;) {
    // Splits the write at the disk's block boundaries.
    const to = from + loss.blockBytes - ((change.at + from) % loss.blockBytes)
    parts.push({ ...change, at: change.at + from, bytes: change.bytes.subarray(from, to) })
    from = to
  }
  return parts
}

function isKept(loss: Loss, random: () => number): boolean {
  switch (loss.type) {
    case 'all':
      return false
    case 'none':
      return true
    case 'some':
    case 'torn':
      return random() < 0.5
  }
}

/** A file that grows. Gaps are zeros, as in a sparse file. */
class Content {
  #buffer = Buffer.alloc(0)
  #size = 0

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size)
  }

  copy(): Content {
    const copy = new Content()
    copy.#buffer = Buffer.from(this.bytes)
    copy.#size = this.#size
    return copy
  }

  apply(change: Change): void {
    if (change.type === 'truncate') return this.#resize(change.size)
    const end = change.at + change.bytes.length
    if (end > this.#size) this.#resize(end)
    change.bytes.copy(this.#buffer, change.at)
  }

  #resize(size: number): void {
    if (size > this.#buffer.length) {
      const larger = Buffer.alloc(Math.max(size, 2 * this.#buffer.length))
      this.bytes.copy(larger)
      this.#buffer = larger
    }
    if (size < this.#size) this.#buffer.fill(0, size, this.#size)
    this.#size = size
  }
}
