import { boundedCount, CallArguments, joined } from './arguments.ts'
import { printf } from './format.ts'
import { charactersOf } from './methods.ts'
import { operate } from './operations.ts'
import { predicates } from './predicates.ts'
import { capitalize, capitalizeWords, centered, replaceText, strip } from './values/texts.ts'
import { type JsonForm, toJson } from './values/to-json.ts'
import {
  boundedText,
  compare,
  Float,
  isDict,
  isEqual,
  isTrue,
  itemsOf,
  numberOf,
  requireItems,
  TemplateError,
  textOf,
  Tuple,
  typeName,
  type Value,
} from './values/values.ts'

/** Returns a member of a value. Filters use it to follow an attribute such as `a.b` or `0`. */
type MemberReader = (value: Value, name: Value) => Value

type Filter = (value: Value, args: CallArguments, memberOf: MemberReader) => Value

/** Returns the items that a filter selects from. None counts as empty: Python refuses None only at the iteration. */
const choices = (value: Value) => requireItems(value ?? [])

/** The filters of Jinja, with `tojson` as the training libraries define it. */
export const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['abs', (value) => sameKind(value, Math.abs(requireNumber(value)))],
  ['attr', (value, args, memberOf) => memberOf(value, args.text(0, 'name'))],
  ['batch', batches],
  ['capitalize', (value) => capitalize(textOf(value))],
  ['center', (value, args) => centered(textOf(value), boundedCount(args.number(0, 'width', 80)))],
  ['count', lengthOf],
  ['length', lengthOf],
  ['default', byDefault],
  ['d', byDefault],
  ['dictsort', sortedMembers],
  ['e', escapeHtml],
  ['escape', escapeHtml],
  ['first', (value) => requireItems(value)[0]],
  ['last', (value) => requireItems(value).at(-1)],
  ['float', (value, args) => new Float(parsed(value, parseFloat) ?? args.number(0, 'default', 0))],
  ['int', (value, args) => toInteger(value) ?? args.number(0, 'default', 0)],
  [
    'format',
    (value, args) =>
      printf(textOf(value), args.named.size > 0 ? args.named : new Tuple(args.positional)),
  ],
  ['groupby', groups],
  ['indent', indented],
  ['items', (value) => (value === undefined ? [] : members(value))],
  [
    'join',
    (value, args, memberOf) =>
      boundedText(joined(mapped(value, args, 1, memberOf), textOf(args.get(0, 'd')))),
  ],
  ['list', requireItems],
  ['lower', (value) => textOf(value).toLowerCase()],
  ['upper', (value) => textOf(value).toUpperCase()],
  ['title', (value) => capitalizeWords(textOf(value))],
  ['map', mapFilter],
  ['max', (value, args, memberOf) => sorted(value, args.after(1), memberOf).at(-1)],
  ['min', (value, args, memberOf) => sorted(value, args.after(1), memberOf)[0]],
  ['reject', (value, args) => choices(value).filter((item) => !passes(item, args))],
  ['select', (value, args) => choices(value).filter((item) => passes(item, args))],
  [
    'rejectattr',
    (value, args, memberOf) =>
      choices(value).filter(
        (item) => !passes(at(item, args.get(0, 'attribute'), memberOf), args.after(1)),
      ),
  ],
  [
    'selectattr',
    (value, args, memberOf) =>
      choices(value).filter((item) =>
        passes(at(item, args.get(0, 'attribute'), memberOf), args.after(1)),
      ),
  ],
  [
    'replace',
    (value, args) =>
      boundedText(
        replaceText(
          textOf(value),
          textOf(args.get(0, 'old')),
          textOf(args.get(1, 'new')),
          args.number(2, 'count', -1),
        ),
      ),
  ],
  [
    'reverse',
    (value) =>
      typeof value === 'string'
        ? Array.from(value).reverse().join('')
        : [...requireItems(value)].reverse(),
  ],
  ['round', round],
  ['safe', (value) => value],
  ['slice', slices],
  [
    'sort',
    (value, args, memberOf) =>
      sorted(
        value,
        new CallArguments([
          args.get(2, 'attribute'),
          args.get(1, 'case_sensitive'),
          args.get(0, 'reverse'),
        ]),
        memberOf,
      ),
  ],
  ['string', textOf],
  [
    'sum',
    (value, args, memberOf) =>
      mapped(value, args, 0, memberOf).reduce<Value>(
        (sum, item) => operate('+', sum, item),
        args.has(1, 'start') ? args.get(1, 'start') : 0,
      ),
  ],
  ['tojson', json],
  ['trim', (value, args) => strip(textOf(value), charactersOf(args), 'both')],
  ['truncate', truncated],
  ['unique', unique],
  ['wordcount', (value) => textOf(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0],
])

function lengthOf(value: Value): number {
  const size = isDict(value) ? value.size : requireItems(value).length
  return size
}

function byDefault(value: Value, args: CallArguments): Value {
  const isUsed = value === undefined || (args.isTrue(1, 'boolean') && !isTrue(value))
  if (!isUsed) return value
  return args.has(0, 'default_value') ? args.get(0, 'default_value') : ''
}

function escapeHtml(value: Value): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&#34;',
    "'": '&#39;',
  }
  return textOf(value).replaceAll(/[&<>"']/g, (character) => names[character] ?? character)
}

function members(value: Value): Tuple[] {
  if (!isDict(value)) throw new TemplateError(`a ${typeName(value)} has no members`)
  return [...value].map((entry) => new Tuple(entry))
}

function sortedMembers(value: Value, args: CallArguments): Value {
  const index = args.has(1, 'by') && args.text(1, 'by') === 'value' ? 1 : 0
  const isSensitive = args.isTrue(0, 'case_sensitive')
  const key = (item: Tuple) => sortKey(item.items[index], isSensitive)
  const items = members(value).sort((a, b) => compare(key(a), key(b)))
  return args.isTrue(2, 'reverse') ? items.reverse() : items
}

function sortKey(value: Value, isSensitive: boolean): Value {
  return typeof value === 'string' && !isSensitive ? value.toLowerCase() : value
}

function sorted(value: Value, args: CallArguments, memberOf: MemberReader): readonly Value[] {
  const attribute = args.get(0, 'attribute')
  const isSensitive = args.isTrue(1, 'case_sensitive')
  const direction = args.isTrue(2, 'reverse') ? -1 : 1
  const key = (item: Value) => sortKey(at(item, attribute, memberOf), isSensitive)
  return [...requireItems(value)].sort((a, b) => direction * compare(key(a), key(b)))
}

function unique(value: Value, args: CallArguments, memberOf: MemberReader): readonly Value[] {
  const attribute = args.get(1, 'attribute')
  const keys: Value[] = []
  return requireItems(value).filter((item) => {
    const key = sortKey(at(item, attribute, memberOf), args.isTrue(0, 'case_sensitive'))
    if (keys.some((each) => isEqual(each, key))) return false
    keys.push(key)
    return true
  })
}

function groups(value: Value, args: CallArguments, memberOf: MemberReader): readonly Value[] {
  const attribute = args.get(0, 'attribute')
  const isSensitive = args.isTrue(2, 'case_sensitive')
  const keyed = requireItems(value).map((item) => {
    const member = at(item, attribute, memberOf)
    const name = member === undefined ? args.get(1, 'default') : member
    return { item, name, key: sortKey(name, isSensitive) }
  })
  const found: { name: Value; key: Value; items: Value[] }[] = []
  for (const { item, name, key } of keyed.sort((a, b) => compare(a.key, b.key))) {
    const last = found.at(-1)
    if (last !== undefined && isEqual(last.key, key)) last.items.push(item)
    else found.push({ name, key, items: [item] })
  }
  return found.map(({ name, items }) => new Tuple([name, items], ['grouper', 'list']))
}

/** Returns lists of `linecount` items each; `fill_with` fills up the last one. */
function batches(value: Value, args: CallArguments): readonly Value[] {
  const items = requireItems(value)
  const [size, fill] = [requireCount(args, 'linecount'), args.get(1, 'fill_with') ?? null]
  const lists = Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
  const last = lists.at(-1)
  if (fill === null || last === undefined) return lists
  return [
    ...lists.slice(0, -1),
    Array.from({ length: size }, (_, index) => (index < last.length ? last[index] : fill)),
  ]
}

/** Returns the items in `slices` lists of nearly equal length; `fill_with` fills up the shorter ones. */
function slices(value: Value, args: CallArguments): readonly Value[] {
  const items = requireItems(value)
  const [count, fill] = [requireCount(args, 'slices'), args.get(1, 'fill_with') ?? null]
  const [size, longer] = [Math.floor(items.length / count), items.length % count]
  return Array.from({ length: count }, (_, index) => {
    const start = index * size + Math.min(index, longer)
    const list = items.slice(start, start + size + Number(index < longer))
    return fill === null || index < longer ? list : [...list, fill]
  })
}

function requireCount(args: CallArguments, name: string): number {
  const count = boundedCount(args.number(0, name))
  if (count === 0) throw new TemplateError(`the argument ${name} must be above 0`)
  return count
}

/** Shortens a text to `length` characters, unless it is only `leeway` characters longer. */
function truncated(value: Value, args: CallArguments): string {
  const characters = Array.from(textOf(value))
  const [length, end] = [args.number(0, 'length', 255), args.text(2, 'end', '...')]
  const kept = length - Array.from(end).length
  if (kept < 0) throw new TemplateError(`a length of ${length} is below that of the end`)
  if (characters.length <= length + args.number(3, 'leeway', 5)) return textOf(value)
  const part = joined(characters.slice(0, kept), '')
  const lastSpace = args.isTrue(1, 'killwords') ? -1 : part.lastIndexOf(' ')
  return (lastSpace === -1 ? part : part.slice(0, lastSpace)) + end
}

/** Returns the member that a path such as `function.name` names; without a path, the value itself. */
function at(value: Value, path: Value, memberOf: MemberReader): Value {
  if (path === undefined || path === null) return value
  if (typeof path !== 'string') return memberOf(value, path)
  return path
    .split('.')
    .reduce(
      (inner: Value, name) => memberOf(inner, /^\d+$/.test(name) ? Number(name) : name),
      value,
    )
}

function mapped(
  value: Value,
  args: CallArguments,
  index: number,
  memberOf: MemberReader,
): readonly Value[] {
  const attribute = args.get(index, 'attribute')
  return requireItems(value).map((item) => at(item, attribute, memberOf))
}

function mapFilter(value: Value, args: CallArguments, memberOf: MemberReader): readonly Value[] {
  const items = choices(value)
  if (args.named.has('attribute')) {
    const attribute = args.named.get('attribute')
    return items
      .map((item) => at(item, attribute, memberOf))
      .map((member) => (member === undefined ? args.named.get('default') : member))
  }
  const filter = filters.get(args.text(0, 'filter'))
  if (filter === undefined)
    throw new TemplateError(`the filter ${args.text(0, 'filter')} is unknown`)
  return items.map((item) => filter(item, args.after(1), memberOf))
}

/** Returns true if the item passes the test named by the first argument; without arguments, if the item is true. */
function passes(item: Value, args: CallArguments): boolean {
  if (args.positional.length === 0) return isTrue(item)
  const predicate = predicates.get(args.text(0, 'test'))
  if (predicate === undefined)
    throw new TemplateError(`the test ${args.text(0, 'test')} is unknown`)
  return predicate(item, args.after(1))
}

function requireNumber(value: Value): number {
  const number = numberOf(value)
  if (number === undefined) throw new TemplateError(`a ${typeName(value)} is not a number`)
  return number
}

function sameKind(value: Value, number: number): Value {
  return value instanceof Float ? new Float(number) : number
}

function parsed(value: Value, parse: (text: string) => number): number | undefined {
  const number = typeof value === 'string' ? parse(value) : numberOf(value)
  return number === undefined || Number.isNaN(number) ? undefined : number
}

function toInteger(value: Value): Value {
  if (typeof value === 'bigint') return value
  const number = parsed(value, (text) =>
    /^\s*[-+]?\d/.test(text) ? Math.trunc(Number(text.trim())) : NaN,
  )
  return number === undefined ? undefined : Math.trunc(number)
}

function round(value: Value, args: CallArguments): Value {
  const scale = 10 ** args.number(0, 'precision', 0)
  const scaled = requireNumber(value) * scale
  const method = args.has(1, 'method') ? args.text(1, 'method') : 'common'
  if (method === 'ceil') return new Float(Math.ceil(scaled) / scale)
  if (method === 'floor') return new Float(Math.floor(scaled) / scale)
  const isTie = Math.abs(scaled % 1) === 0.5
  return new Float((isTie ? 2 * Math.round(scaled / 2) : Math.round(scaled)) / scale)
}

function indented(value: Value, args: CallArguments): string {
  const prefix = args.indent(0, 'width', 4) ?? ''
  const [hasFirst, hasBlank] = [args.isTrue(1, 'first'), args.isTrue(2, 'blank')]
  const lines = textOf(value).split('\n')
  const isIndented = (line: string, index: number) =>
    index === 0 ? hasFirst : hasBlank || line !== ''
  return boundedText(
    lines.map((line, index) => (isIndented(line, index) ? prefix + line : line)).join('\n'),
  )
}

function json(value: Value, args: CallArguments): string {
  const indent = args.indent(1, 'indent')
  const separators = itemsOf(args.get(2, 'separators') ?? null)
  const [item, name] = separators ?? [indent === undefined ? ', ' : ',', ': ']
  const form: JsonForm = {
    indent,
    isAscii: args.isTrue(0, 'ensure_ascii'),
    itemSeparator: textOf(item),
    nameSeparator: textOf(name),
    isSorted: args.isTrue(3, 'sort_keys'),
  }
  return boundedText(toJson(value, form))
}
