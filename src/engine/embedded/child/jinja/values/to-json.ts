import {
  Float,
  floatText,
  isDict,
  isList,
  numberOf,
  TemplateError,
  textOf,
  Tuple,
} from './values.ts'
import { typeName, type Value } from './values.ts'

export type JsonForm = {
  readonly indent: string | undefined
  readonly isAscii: boolean
  readonly itemSeparator: string
  readonly nameSeparator: string
  readonly isSorted: boolean
}

/** Returns the text that Python's `json.dumps` returns. @throws TemplateError for a value that JSON cannot express */
export function toJson(value: Value, form: JsonForm, depth = 0): string {
  // Python refuses a variable that is not set; other implementations write null.
  if (value === undefined || value === null) return 'null'
  if (typeof value === 'string') return quoted(value, form)
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint')
    return String(value)
  if (value instanceof Float) return floatText(value.value)
  if (value instanceof Tuple) return toJson(value.items, form, depth)
  if (isList(value))
    return wrapped(
      ['[', ']'],
      value.map((item) => toJson(item, form, depth + 1)),
      form,
      depth,
    )
  if (!isDict(value)) throw new TemplateError(`JSON has no ${typeName(value)}`)
  let entries = [...value].map(([name, member]) => [nameText(name), member] as const)
  if (form.isSorted) entries = entries.sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
  const members = entries.map(
    ([name, member]) => quoted(name, form) + form.nameSeparator + toJson(member, form, depth + 1),
  )
  return wrapped(['{', '}'], members, form, depth)
}

function nameText(name: Value): string {
  if (typeof name === 'boolean' || name === null || numberOf(name) !== undefined)
    return typeof name === 'boolean' || name === null ? String(name) : textOf(name)
  return textOf(name)
}

function wrapped(
  [open, close]: readonly [string, string],
  items: readonly string[],
  { indent, itemSeparator }: JsonForm,
  depth: number,
): string {
  if (indent === undefined || items.length === 0) return open + items.join(itemSeparator) + close
  const line = `\n${indent.repeat(depth)}`
  return open + line + indent + items.join(itemSeparator + line + indent) + line + close
}

function quoted(text: string, { isAscii }: JsonForm): string {
  const json = JSON.stringify(text)
  if (!isAscii) return json
  return json.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
