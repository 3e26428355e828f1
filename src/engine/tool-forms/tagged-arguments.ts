import type { State } from '../grammar/grammar.ts'
import type { Located } from '../grammar/schemas/facts.ts'
import { typesOf } from '../grammar/schemas/schema-values.ts'
import { addMark } from './call-grammar.ts'
import { addCharacters, addTextUntil } from './free-text.ts'
import {
  type ListedText,
  pathOfValues,
  requireReadable,
  SchemaPartReader,
  type SchemaParts,
  typed,
} from './schema-parts.ts'
import { alternativesOf, type TaggedForm } from './tool-form.ts'

type Kinds = { texts: ListedText[]; isFree: boolean; hasOthers: boolean }

const otherThanString = typed(['null', 'boolean', 'number', 'array', 'object'])

/**
 * Adds the arguments of a call between tags. Values are JSON that is valid against the schema. A string may be any
 * text up to the closing tag, unless the schema lists the allowed values.
 */
export class TaggedArguments {
  readonly #parts: SchemaParts
  readonly #form: TaggedForm
  readonly #schema: SchemaPartReader

  constructor(parts: SchemaParts, form: TaggedForm) {
    this.#parts = parts
    this.#form = form
    this.#schema = new SchemaPartReader(parts)
  }

  /** @throws SchemaRefused */
  add(from: State, to: State): void {
    const form = {
      beforeName: this.#form.key,
      // The mark of a value depends on its kind.
      afterName: '',
      betweenArguments: '',
      canWrite: (name: string) => this.#canWrite(name),
      addValue: this.#addValue.bind(this),
    }
    this.#schema.addArguments(from, form, to)
  }

  /** Returns true if the name ends where the mark after it begins, and not earlier. */
  #canWrite(name: string): boolean {
    const { value, stringValue } = this.#form
    const marks = [...alternativesOf(value), ...(stringValue === undefined ? [] : [stringValue])]
    return marks.every((after) =>
      marks.every((mark) => {
        const at = (name + after).indexOf(mark)
        return at === -1 || at >= name.length
      }),
    )
  }

  #addValue(from: State, schemas: readonly Located[], to: State): void {
    const { grammar, compiler } = this.#parts
    const { value, stringValue, valueEnd, afterValue } = this.#form
    const { texts, isFree, hasOthers } = this.#kindsOf(schemas)
    const [string, after] = [addMark(grammar, from, stringValue ?? value), grammar.state()]
    grammar.skip(addMark(grammar, after, afterValue), to)
    if (isFree) this.#addFreeText(string, after)
    else if (texts.length > 0)
      grammar.anyText(
        string,
        texts.map((listed) => this.#written(listed)),
        after,
      )
    // If strings have no tag of their own, free text already includes every other value.
    if (!hasOthers || (isFree && stringValue === undefined)) return
    const json = stringValue === undefined ? string : addMark(grammar, from, value)
    const written = grammar.state()
    grammar.call(json, compiler.compileParts([...schemas, otherThanString]), written)
    grammar.text(written, valueEnd, after)
  }

  #addFreeText(from: State, to: State): void {
    const { grammar } = this.#parts
    const { valueEnd, markup } = this.#form
    if (markup === undefined) {
      addTextUntil(grammar, from, { marks: [valueEnd] }, to)
      return
    }
    const plain = grammar.state()
    grammar.skip(from, plain)
    addCharacters(grammar, plain, '<')
    grammar.text(plain, valueEnd, to)
    const wrapped = grammar.text(from, markup.begin)
    addTextUntil(grammar, wrapped, { marks: [markup.end + valueEnd] }, to)
  }

  /** @throws SchemaRefused for a text that would be read cut */
  #written(listed: ListedText): string {
    const { markup, valueEnd } = this.#form
    const { text } = listed
    const isMarkup = markup !== undefined && text.includes('<')
    const end = isMarkup ? markup.end + valueEnd : valueEnd
    requireReadable(listed, end)
    return (isMarkup ? markup.begin : '') + text + end
  }

  /** Returns which strings a value can be, and whether it can be anything else. */
  #kindsOf(schemas: readonly Located[]): Kinds {
    const kinds: Kinds = { texts: [], isFree: false, hasOthers: false }
    for (const alternative of this.#schema.logic.alternatives(schemas)) {
      const types = typesOf(alternative)
      const values = this.#schema.logic.values(alternative)
      const path = pathOfValues(alternative)
      for (const text of values ?? [])
        if (typeof text === 'string') kinds.texts.push({ text, path })
      if (values === undefined && types.includes('string')) kinds.isFree = true
      if (values?.some((value) => typeof value !== 'string') ?? types.some((t) => t !== 'string'))
        kinds.hasOthers = true
    }
    return kinds
  }
}
