import { readUntil } from '../tool-forms/reading/read-until.ts'
import type { Reasoning, ThoughtState } from './dialect.ts'
import { blankCharsMax, harmonyHeaderCharsMax } from './dialect-limits.ts'
import { Collector, type ReplyPart } from './reply-collector.ts'

export type ReasoningReader = {
  /**
   * Reads text that was generated as `tokens` tokens. Holds back only a possible start of a mark and at most
   * `blankCharsMax` characters of white space around it.
   */
  push(text: string, tokens: number): ReplyPart
  /**
   * Returns the text held back.
   * @param isCut true if the reply was cut, so that a mark or a header at its end may be incomplete
   */
  finish(isCut?: boolean): ReplyPart
}

/**
 * Returns a reader that separates thoughts from the rest of one reply.
 * @param isFormatted true if a grammar ends the answer, such as that of JSON: a mark in it is then part of its text
 * @param readsCalls false if no reader of tool calls follows
 */
export function createReasoningReader(
  reasoning: Reasoning,
  thought: ThoughtState,
  isFormatted = false,
  readsCalls = true,
): ReasoningReader {
  return reasoning.form === 'channels'
    ? new ChannelReader(reasoning, isFormatted, readsCalls)
    : new TagReader(reasoning, thought, isFormatted)
}

/** Reads a reply with at most one thought, at its start. */
class TagReader implements ReasoningReader {
  readonly #reasoning: Reasoning
  readonly #collected = new Collector()
  #place: 'start' | 'opened' | 'thought' | 'after' | 'answer' | 'wrapped' | 'tail'
  /** True if the prompt may have begun the answer. */
  readonly #mayBeBegun: boolean
  readonly #isFormatted: boolean
  /** White space before the pending text, in which no mark begins. It is kept apart so that each piece is read once. */
  #blank = ''
  #pending = ''
  #isFirst = true

  constructor(reasoning: Reasoning, thought: ThoughtState, isFormatted: boolean) {
    this.#reasoning = reasoning
    this.#isFormatted = isFormatted
    const places = { none: 'start', open: 'opened', closed: 'answer' } as const
    this.#place = places[thought]
    this.#mayBeBegun = thought === 'closed'
    if (thought === 'closed' && reasoning.answer !== undefined) this.#place = 'after'
  }

  push(text: string, tokens: number): ReplyPart {
    this.#collected.add(text, tokens, this.#place === 'opened' || this.#place === 'thought')
    this.#pending += text
    while (this.#read());
    return this.#collected.take()
  }

  finish(isCut = false): ReplyPart {
    this.#restoreBlank()
    if (this.#place === 'opened' || this.#place === 'thought') this.#think(this.#pending)
    else if (this.#place !== 'tail' && !(isCut && this.#hasMarkBegun()))
      this.#collected.write(this.#place === 'after' ? this.#pending.trim() : this.#pending)
    this.#collected.read(this.#pending.length)
    this.#collected.end(this.#place === 'answer' || this.#place === 'wrapped')
    this.#pending = ''
    return this.#collected.take()
  }

  #read(): boolean {
    const before = this.#blank.length + this.#pending.length
    const hasMore = this.#step()
    this.#collected.read(before - this.#blank.length - this.#pending.length)
    return hasMore
  }

  /** Returns false when it needs more text. What it writes is the beginning of what it takes from the pending text. */
  #step(): boolean {
    const { begin, end, answer } = this.#reasoning
    switch (this.#place) {
      case 'start': {
        const found = this.#readMark([begin, ...(answer?.begins ?? [])])
        if (found === undefined) return false
        this.#collected.decide(found === begin)
        this.#place = found === begin ? 'thought' : found === '' ? 'answer' : 'wrapped'
        return true
      }
      case 'opened': {
        // Some models repeat the begin mark although the prompt has already begun the thought.
        if (this.#readMark([begin]) === undefined) return false
        this.#place = 'thought'
        return true
      }
      case 'thought': {
        const { before, isFound } = this.#readUntil(end)
        this.#think(before)
        if (!isFound) return false
        this.#collected.endThought()
        this.#place = 'after'
        return true
      }
      case 'after': {
        this.#pending = this.#pending.trimStart()
        const found = this.#pending === '' ? undefined : this.#readMark(answer?.begins ?? [])
        if (found === undefined) return false
        this.#collected.decide(false)
        this.#place = found === '' && !this.#mayBeBegun ? 'answer' : 'wrapped'
        return true
      }
      case 'wrapped': {
        if (answer?.end === undefined || this.#isFormatted) {
          this.#place = 'answer'
          return true
        }
        const { before, isFound } = this.#readUntil(answer.end)
        this.#collected.write(before)
        if (isFound) this.#place = answer.tail === undefined ? 'answer' : 'tail'
        return isFound
      }
      case 'tail': {
        if (this.#readMark([answer?.tail ?? '']) === undefined) return false
        this.#place = 'answer'
        return true
      }
      case 'answer':
        this.#collected.write(this.#pending)
        this.#pending = ''
        return false
    }
  }

  /** Returns true if the pending text is the beginning of a mark, at the place where an answer has one. */
  #hasMarkBegun(): boolean {
    const text = this.#pending.trimStart()
    const isPlace = this.#place === 'start' || this.#place === 'after'
    const { begins = [] } = this.#reasoning.answer ?? {}
    return isPlace && text !== '' && begins.some((mark) => mark.startsWith(text))
  }

  #think(text: string): void {
    this.#collected.think(text, this.#isFirst)
    if (text.trim() !== '') this.#isFirst = false
  }

  /**
   * Removes and returns the mark at the start of the pending text. Returns '' if there is none, or only after white
   * space that is too long, and undefined if more text is needed to tell.
   */
  #readMark(marks: readonly string[]): string | undefined {
    const trimmed = this.#pending.trimStart()
    if (this.#blank.length + this.#pending.length - trimmed.length > blankCharsMax) {
      this.#restoreBlank()
      return ''
    }
    // A mark may itself begin with a space.
    for (const text of this.#blank === '' ? [this.#pending, trimmed] : [trimmed]) {
      const found = marks.find((mark) => text.startsWith(mark))
      if (found !== undefined) {
        this.#blank = ''
        this.#pending = text.slice(found.length)
        return found
      }
      if (!marks.some((mark) => mark.startsWith(text))) continue
      if (text === '') {
        this.#blank += this.#pending
        this.#pending = ''
      }
      return undefined
    }
    this.#restoreBlank()
    return ''
  }

  #restoreBlank(): void {
    this.#pending = this.#blank + this.#pending
    this.#blank = ''
  }

  #readUntil(mark: string): { before: string; isFound: boolean } {
    const { before, rest, isFound } = readUntil(this.#pending, mark)
    this.#pending = rest
    return { before, isFound }
  }
}

/**
 * Reads a reply of messages with headers: `<|start|>assistant<|channel|>NAME<|message|>TEXT<|end|>`. A message to a
 * tool is passed on with its header.
 */
class ChannelReader implements ReasoningReader {
  readonly #reasoning: Reasoning
  /** Names the place in which an answer is read: up to its end mark, or as the rest of the reply. */
  readonly #answer: 'answer' | 'rest'
  readonly #collected = new Collector()
  readonly #readsCalls: boolean
  #place: 'header' | 'thought' | 'answer' | 'rest' = 'header'
  #pending = ''
  #isFirst = true
  #hasAnswered = false

  constructor(reasoning: Reasoning, isFormatted: boolean, readsCalls: boolean) {
    this.#reasoning = reasoning
    this.#answer = isFormatted ? 'rest' : 'answer'
    this.#readsCalls = readsCalls
  }

  push(text: string, tokens: number): ReplyPart {
    this.#collected.add(text, tokens, this.#place === 'thought')
    this.#pending += text
    while (this.#read(() => this.#step()));
    return this.#collected.take()
  }

  finish(isCut = false): ReplyPart {
    if (this.#place === 'header' && !isCut && hasText(this.#pending))
      this.#read(() => this.#openText())
    if (this.#place === 'thought') this.#collected.think(this.#pending, this.#isFirst)
    else if (this.#place !== 'header') this.#collected.write(this.#pending)
    this.#collected.read(this.#pending.length)
    this.#collected.end(this.#place === 'answer' || this.#place === 'rest')
    this.#pending = ''
    return this.#collected.take()
  }

  #read(step: () => boolean): boolean {
    const before = this.#pending.length
    const hasMore = step()
    this.#collected.read(before - this.#pending.length)
    return hasMore
  }

  /** Returns false when it needs more text. What it writes is the beginning of what it takes from the pending text. */
  #step(): boolean {
    switch (this.#place) {
      case 'header':
        return this.#readHeader()
      case 'thought': {
        const { before, rest, isFound } = readUntil(this.#pending, this.#reasoning.end)
        this.#pending = rest
        this.#collected.think(before, this.#isFirst)
        if (before.trim() !== '') this.#isFirst = false
        if (isFound) {
          this.#collected.endThought()
          this.#place = 'header'
        }
        return isFound
      }
      case 'answer': {
        const { before, rest, isFound } = readUntil(this.#pending, this.#reasoning.end)
        this.#pending = rest
        this.#collected.write(before)
        if (before !== '') this.#hasAnswered = true
        if (isFound) this.#place = 'header'
        return isFound
      }
      case 'rest':
        this.#collected.write(this.#pending)
        this.#pending = ''
        return false
    }
  }

  #readHeader(): boolean {
    const body = this.#pending.indexOf(bodyMark)
    const header = body === -1 ? this.#pending : this.#pending.slice(0, body)
    const isHeader =
      isHeaderBegin(header) &&
      header.length <= harmonyHeaderCharsMax &&
      !header.includes(this.#reasoning.end)
    if (!isHeader) return this.#openText()
    if (body === -1) return false
    // A tool call. The reader of tool calls gets the rest of the reply. A message to anyone else is read by its channel.
    if (this.#readsCalls && header.includes(' to=functions.')) this.#open('rest')
    else {
      this.#pending = this.#pending.slice(body + bodyMark.length)
      this.#open(header.includes(thoughtChannel) ? 'thought' : this.#answer)
    }
    return true
  }

  /**
   * Begins a message without a complete header, which the model sometimes writes. What there is of the header is left
   * out, as OpenAI's parser does.
   */
  #openText(): boolean {
    const header = headerOf(this.#pending)
    this.#pending = this.#pending.slice(header.length)
    this.#open(header.includes(thoughtChannel) ? 'thought' : this.#answer)
    return true
  }

  #open(place: 'thought' | 'answer' | 'rest'): void {
    this.#collected.decide(place === 'thought')
    // The thoughts of one reply are separate messages, joined by a line break, and so are its answers.
    if (place === 'thought' && !this.#isFirst) this.#collected.think('\n', false)
    if (place === 'answer' && this.#hasAnswered) this.#collected.insert('\n')
    this.#place = place
  }
}

const bodyMark = '<|message|>'
const thoughtChannel = '<|channel|>analysis'
/** Possible beginnings of a message header. The prompt ends with the role of the first message. */
const headerBegins = ['<|channel|>', ' to=', bodyMark]
const role = '<|start|>assistant'
const roles = /^(?:<\|start\|>assistant\s*)+/

function isHeaderBegin(text: string): boolean {
  const rest = text.replace(roles, '')
  const begins = rest === text ? [role, ...headerBegins] : [role, ...headerBegins, 'to=']
  return begins.some((begin) => begin.startsWith(rest) || rest.startsWith(begin))
}

/** Returns the part of a header that is certainly not text of the message. */
function headerOf(text: string): string {
  const [start = ''] =
    /^(?:(?:<\|start\|>assistant\s*)+(?:to=[^\s<]+\s*)?| to=[^\s<]+\s*)?/.exec(text) ?? []
  const [channel = ''] =
    /^<\|channel\|>(?:analysis|commentary|final)?(?: to=[^\s<]+)?(?: ?<\|constrain\|>\w*)?\s*/.exec(
      text.slice(start.length),
    ) ?? []
  return start + channel
}

/** Returns true if text follows the header, not only the start of a further mark. */
function hasText(pending: string): boolean {
  const rest = pending.slice(headerOf(pending).length)
  return rest !== '' && !rest.startsWith('<|')
}
