import { entriesInOrder, objectInOrder } from '../../../../json-order.ts'
import { newNonce } from '../new-nonce.ts'
import { Float } from '../jinja/values/values.ts'
import { isEndMark, thoughtMarks } from './thought-marks.ts'

/** Texts of special tokens and control texts. A caller's text must not become one of them. */
export class ForgeableTexts {
  readonly #texts: readonly string[]
  readonly #pattern: RegExp | undefined
  /** The longest text, in code units. */
  readonly #unitsMax: number
  /** Characters with which a text begins, without those of words: names such as `user` stay whole. */
  readonly #firsts: ReadonlySet<string>
  /** Proper prefixes and suffixes of the texts. */
  readonly #begins = new Set<string>()
  readonly #ends = new Set<string>()
  /** Names around which a template only has to write `<`, or `</`, and `>`. */
  readonly #tagNames: ReadonlySet<string>

  constructor(texts: readonly string[], pattern: RegExp | undefined) {
    this.#texts = texts
    this.#pattern = pattern && new RegExp(pattern, 'g')
    this.#unitsMax = Math.max(0, ...texts.map((text) => text.length))
    this.#tagNames = new Set(texts.map((text) => tagForm.exec(text)?.[1] ?? ''))
    this.#firsts = new Set(texts.map(([first = '']) => first).filter((first) => isMark(first)))
    for (const text of texts)
      for (let index = 1; index < text.length; index++) {
        this.#begins.add(text.slice(0, index))
        this.#ends.add(text.slice(index))
      }
  }

  /** Returns all occurrences of these texts in `text`, overlapping ones too. The keys are indexes inside them. */
  find(text: string): Map<number, string> {
    const found = new Map<number, string>()
    const pattern = this.#pattern
    if (pattern === undefined) return found
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const [first = ''] = match[0]
      pattern.lastIndex = match.index + first.length
      found.set(pattern.lastIndex, match[0])
    }
    return found
  }

  /** Returns the indexes after each character with which one of these texts begins. */
  findBegins(text: string): number[] {
    const found: number[] = []
    let index = 0
    for (const character of text) {
      index += character.length
      if (this.#firsts.has(character)) found.push(index)
    }
    return found
  }

  /**
   * Returns true if something written before or after `text` could complete one of these texts. Outside of arguments of
   * calls, a part that is just a word does not count: names such as `type` stay whole, because templates look for them.
   */
  isCompleted(text: string, side: 'before' | 'after', isArgument: boolean): boolean {
    const counts = (part: string): boolean => isArgument || isMark(part)
    const rest = side === 'before' ? this.#ends : this.#begins
    for (let length = Math.min(text.length, this.#unitsMax); length > 0; length--) {
      const part = side === 'before' ? text.slice(0, length) : text.slice(-length)
      if (rest.has(part) && counts(part)) return true
    }
    const mayBeInside = text.length > 0 && text.length < this.#unitsMax && counts(text)
    return mayBeInside && this.#texts.some((whole) => whole.includes(text, 1))
  }

  /** Returns true if `<name>` or `</name>` is one of these texts and `name` is no keyword of JSON Schema. */
  isTagName(name: string): boolean {
    return this.#tagNames.has(name) && !schemaKeywords.has(name)
  }
}

const tagForm = /^<\/?([^<>]+)>$/u

/** Keywords of JSON Schema that templates look up. */
const schemaKeywords: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'items',
  'enum',
  'const',
  'default',
  'description',
  'examples',
  'format',
  'nullable',
  'title',
])

/** Returns true for a text that is not just a word. */
function isMark(text: string): boolean {
  return /[^\p{L}\p{N}_\s-]/u.test(text)
}

/** The place of a value: a schema is inside a tool, and a list of required names inside a schema. */
type Place = 'message' | 'arguments' | 'tool' | 'schema' | 'required'

/**
 * Breaks up forgeable texts in a caller's text before a template renders it. `split` then cuts the rendered text at
 * the breaks, and no token is formed across a cut.
 */
export class ForgeryBreaker {
  readonly #forgeable: ForgeableTexts
  readonly #nonce = newNonce()
  readonly #probe = newNonce()
  readonly #beginsAllNames: boolean
  readonly #isStrict: boolean
  #hasBegunNames = false

  /**
   * `beginsAllNames`: if one name in an object of arguments or of a schema begins with a break, all others do too. Then a
   * template that sorts the names keeps their order, but a template that looks for one of the names does not find it.
   * `isStrict`: breaks up also what could become a forgeable text if the template deletes something inside.
   */
  constructor(forgeable: ForgeableTexts, { beginsAllNames = false, isStrict = false } = {}) {
    this.#forgeable = forgeable
    this.#beginsAllNames = beginsAllNames
    this.#isStrict = isStrict
  }

  /** True once a name in arguments of calls or in a schema begins with a break. */
  get hasBegunNames(): boolean {
    return this.#hasBegunNames
  }

  /** Breaks up forged marks in all strings of a value, including the names of its members. */
  break<T>(value: T): T {
    return this.#breakAny(value, 'message') as T
  }

  /**
   * Breaks up forged marks in tools. Also breaks names in their schemas around which a template may write `<` and `>`,
   * as Qwen3-Coder's does with keywords that it does not know.
   */
  breakTools(tools: readonly object[]): readonly object[] {
    return this.#breakAny(tools, 'tool') as readonly object[]
  }

  /**
   * Breaks up the text of an earlier reply, but keeps the marks of one thought at its start: by these a template finds
   * the thought and removes it.
   */
  breakReply(content: string): string {
    const marks = new Map(thoughtMarks(content).map((mark) => [mark.index + 1, mark[0]]))
    return this.#breakText(
      content,
      false,
      (index, text) => marks.has(index) && (text === undefined || marks.get(index) === text),
    )
  }

  /** Returns the text of an earlier reply with a probe inside of its thought, beside each mark. */
  probeReply(content: string, reply: number): string {
    const cuts = thoughtMarks(content).map(
      (mark) => mark.index + (isEndMark(mark) ? 0 : mark[0].length),
    )
    const ends = [...cuts, content.length]
    return ends
      .map((end, index) => content.slice(ends[index - 1] ?? 0, end))
      .join(this.#probeOf(reply))
  }

  /** Returns true if the template wrote a mark of the probed reply into the prompt, and did not only search for it. */
  writesMarks(rendered: string, content: string, reply: number): boolean {
    const probe = this.#probeOf(reply)
    return thoughtMarks(content).some((mark) =>
      rendered.includes(isEndMark(mark) ? probe + mark[0] : mark[0] + probe),
    )
  }

  #probeOf(reply: number): string {
    return `${this.#probe}:${reply}:`
  }

  /** Returns the parts of a rendered text between the breaks. */
  split(text: string): string[] {
    return text.split(this.#nonce)
  }

  #breakAny(value: unknown, place: Place): unknown {
    if (typeof value === 'string')
      return place === 'required'
        ? this.#breakName(value, place)
        : this.#breakText(value, place === 'arguments')
    if (Array.isArray(value)) return value.map((item) => this.#breakAny(item, place))
    if (typeof value !== 'object' || value === null || value instanceof Float) return value
    const members = entriesInOrder(value).map(([name, member]): [string, unknown] => [
      this.#breakName(name, place),
      this.#breakAny(member, placeOf(name, place)),
    ])
    const isBegun = ([name]: [string, unknown]) => name.startsWith(this.#nonce)
    const hasCallersNames = place !== 'message' && place !== 'tool'
    if (!hasCallersNames || !members.some(isBegun)) return objectInOrder(members)
    this.#hasBegunNames = true
    if (!this.#beginsAllNames) return objectInOrder(members)
    return objectInOrder(
      members.map((one) => (isBegun(one) ? one : [this.#nonce + one[0], one[1]])),
    )
  }

  #breakName(name: string, place: Place): string {
    const broken = this.#breakText(name, place === 'arguments')
    const isInSchema = place === 'schema' || place === 'required'
    const isWhole = !broken.startsWith(this.#nonce)
    return isInSchema && isWhole && this.#forgeable.isTagName(name) ? this.#nonce + broken : broken
  }

  #breakText(
    text: string,
    isArgument: boolean,
    isKept: (index: number, text?: string) => boolean = () => false,
  ): string {
    const found = [...this.#forgeable.find(text)].filter(([index, found]) => !isKept(index, found))
    const cuts = new Set(found.map(([index]) => index))
    if (this.#isStrict)
      for (const index of this.#forgeable.findBegins(text)) if (!isKept(index)) cuts.add(index)
    if (this.#forgeable.isCompleted(text, 'before', isArgument)) cuts.add(0)
    if (this.#forgeable.isCompleted(text, 'after', isArgument)) cuts.add(text.length)
    if (cuts.size === 0) return text
    const ordered = [0, ...[...cuts].sort((one, other) => one - other), text.length]
    const pieces = ordered.slice(1).map((end, index) => text.slice(ordered[index], end))
    return pieces.join(this.#nonce)
  }
}

/** Returns the place of a member from its name and the place of its object. */
function placeOf(name: string, place: Place): Place {
  if (place === 'arguments' || name === 'arguments') return 'arguments'
  if (place === 'tool') return name === 'parameters' ? 'schema' : 'tool'
  if (place === 'message') return 'message'
  return name === 'required' ? 'required' : 'schema'
}
