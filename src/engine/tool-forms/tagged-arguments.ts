import type { State } from '../grammar/grammar.ts'
import type { Located } from '../grammar/schemas/facts.ts'
import { typesOf } from '../grammar/schemas/schema-values.ts'
import { addMark } from './call-grammar.ts'
import { addCharacters, addTextUntil } from './free-text.ts'
import { SchemaPartReader, type SchemaParts, typed } from './schema-parts.ts'
import { alternativesOf, type TaggedForm } from './tool-form.ts'

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
        texts.map((text) => this.#written(text) + valueEnd),
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

  #written(text: string): string {
    const { markup } = this.#form
    return markup !== undefined && text.includes('<') ? markup.begin + text + markup.end : text
  }

  /** Returns which strings a value can be, and whether it can be anything else. */
  #kindsOf(schemas: readonly Located[]): { texts: string[]; isFree: boolean; hasOthers: boolean } {
    const kinds = { texts: [] as string[], isFree: false, hasOthers: false }
    for (const alternative of this.#schema.logic.alternatives(schemas)) {
      const types = typesOf(alternative)
      const values = this.#schema.logic.values(alternative)
      kinds.texts.push(...(values ?? []).filter((value) => typeof value === 'string'))
      if (values === undefined && types.includes('string')) kinds.isFree = true
      if (values?.some((value) => typeof value !== 'string') ?? types.some((t) => t !== 'string'))
        kinds.hasOthers = true
    }
    return kinds
  }
}
