import { boundedCount, CallArguments, joined } from './arguments.ts'
import { format } from './format.ts'
import {
  capitalize,
  centered,
  padded,
  replaceText,
  splitLines,
  splitText,
  strip,
  titleCase,
} from './values/texts.ts'
import {
  assertListLength,
  boundedText,
  Callable,
  contains,
  type Dict,
  isDict,
  isEqual,
  isList,
  keyOf,
  requireItems,
  TemplateError,
  textOf,
  Tuple,
  type Value,
} from './values/values.ts'

/** Returns a method of the value, or undefined. Only `append` and `pop` change a value: llama.cpp has them too. */
export function methodOf(value: Value, name: string): Callable | undefined {
  const bind = <T>(method: ((self: T, args: CallArguments) => Value) | undefined, self: T) =>
    method &&
    new Callable((positional, named) => method(self, new CallArguments(positional, named)))
  if (typeof value === 'string') return bind(textMethods.get(name), value)
  if (isDict(value)) return bind(dictMethods.get(name), value)
  if (isList(value)) return bind(listMethods.get(name), value)
  return value instanceof Tuple ? bind(listMethods.get(name), value.items) : undefined
}

type Method<T> = (self: T, args: CallArguments) => Value

const textMethods: ReadonlyMap<string, Method<string>> = new Map<string, Method<string>>([
  ['upper', (text) => text.toUpperCase()],
  ['lower', (text) => text.toLowerCase()],
  ['casefold', (text) => text.toLowerCase()],
  ['title', titleCase],
  ['capitalize', (text) => capitalize(text)],
  [
    'swapcase',
    (text) =>
      Array.from(text, (each) =>
        each === each.toUpperCase() ? each.toLowerCase() : each.toUpperCase(),
      ).join(''),
  ],
  ['strip', (text, args) => strip(text, charactersOf(args), 'both')],
  ['lstrip', (text, args) => strip(text, charactersOf(args), 'start')],
  ['rstrip', (text, args) => strip(text, charactersOf(args), 'end')],
  [
    'startswith',
    (text, args) => affixes(args).some((affix) => partOf(text, args)?.text.startsWith(affix)),
  ],
  [
    'endswith',
    (text, args) => affixes(args).some((affix) => partOf(text, args)?.text.endsWith(affix)),
  ],
  [
    'split',
    (text, args) => splitText(text, separatorOf(args), args.number(1, 'maxsplit', -1), 'start'),
  ],
  [
    'rsplit',
    (text, args) => splitText(text, separatorOf(args), args.number(1, 'maxsplit', -1), 'end'),
  ],
  ['splitlines', (text, args) => splitLines(text, args.isTrue(0, 'keepends'))],
  ['partition', (text, args) => partition(text, args, 'start')],
  ['rpartition', (text, args) => partition(text, args, 'end')],
  [
    'replace',
    (text, args) =>
      boundedText(
        replaceText(text, args.text(0, 'old'), args.text(1, 'new'), args.number(2, 'count', -1)),
      ),
  ],
  [
    'removeprefix',
    (text, args) =>
      text.startsWith(args.text(0, 'prefix')) ? text.slice(args.text(0, 'prefix').length) : text,
  ],
  [
    'removesuffix',
    (text, args) =>
      args.text(0, 'suffix') !== '' && text.endsWith(args.text(0, 'suffix'))
        ? text.slice(0, -args.text(0, 'suffix').length)
        : text,
  ],
  ['join', (text, args) => boundedText(joined(requireItems(args.get(0, 'iterable')), text))],
  ['format', format],
  ['find', (text, args) => find(text, args, 'start')],
  ['rfind', (text, args) => find(text, args, 'end')],
  ['index', indexOf],
  ['count', count],
  ['isdigit', (text) => /^\p{Nd}+$/u.test(text)],
  ['isnumeric', (text) => /^\p{N}+$/u.test(text)],
  ['isalpha', (text) => /^\p{L}+$/u.test(text)],
  ['isalnum', (text) => /^[\p{L}\p{N}]+$/u.test(text)],
  ['isspace', (text) => /^\s+$/.test(text)],
  ['isupper', (text) => text === text.toUpperCase() && text !== text.toLowerCase()],
  ['islower', (text) => text === text.toLowerCase() && text !== text.toUpperCase()],
  ['zfill', (text, args) => text.padStart(boundedCount(args.number(0, 'width')), '0')],
  ['center', (text, args) => centered(text, ...padding(args))],
  ['ljust', (text, args) => padded(text, '<', ...padding(args))],
  ['rjust', (text, args) => padded(text, '>', ...padding(args))],
])

const dictMethods: ReadonlyMap<string, Method<Dict>> = new Map<string, Method<Dict>>([
  [
    'get',
    (dict, args) => {
      const key = keyOf(args.get(0, 'key'))
      return dict.has(key) ? dict.get(key) : args.has(1, 'default') ? args.get(1, 'default') : null
    },
  ],
  ['items', (dict) => [...dict].map((entry) => new Tuple(entry))],
  ['keys', (dict) => [...dict.keys()]],
  ['values', (dict) => [...dict.values()]],
  ['copy', (dict) => new Map(dict)],
])

const listMethods: ReadonlyMap<string, Method<readonly Value[]>> = new Map<
  string,
  Method<readonly Value[]>
>([
  [
    'append',
    (list, args) => {
      assertListLength(list.length + 1)
      if (isMutable(list)) list.push(args.get(0, 'object'))
      return null
    },
  ],
  [
    'pop',
    (list, args) => {
      if (!isMutable(list) || list.length === 0) throw new TemplateError('the list is empty')
      return list.splice(args.number(0, 'index', -1), 1)[0]
    },
  ],
  ['count', (list, args) => list.filter((item) => isEqual(item, args.get(0, 'value'))).length],
  ['copy', (list) => [...list]],
  [
    'index',
    (list, args) => {
      const item = args.get(0, 'value')
      if (!contains(list, item)) throw new TemplateError('the list does not contain the value')
      return list.findIndex((each) => isEqual(each, item))
    },
  ],
])

export function charactersOf(args: CallArguments): string | undefined {
  const characters = args.get(0, 'chars')
  return typeof characters === 'string' ? characters : undefined
}

function separatorOf(args: CallArguments): string | undefined {
  const separator = args.get(0, 'sep')
  if (separator === undefined || separator === null) return undefined
  const text = args.text(0, 'sep')
  if (text === '') throw new TemplateError('the separator is empty')
  return text
}

function affixes(args: CallArguments): readonly string[] {
  const affix = args.get(0, 'prefix')
  return affix instanceof Tuple ? affix.items.map(textOf) : [args.text(0, 'prefix')]
}

/** Reads the width and the fill character. */
function padding(args: CallArguments): [number, string] {
  const fill = args.text(1, 'fillchar', ' ')
  if (Array.from(fill).length !== 1) throw new TemplateError('fillchar must be one character')
  return [boundedCount(args.number(0, 'width')), fill]
}

/** Splits at the first separator (`start`) or the last one (`end`). Without one, the text is first or last. */
function partition(text: string, args: CallArguments, from: 'start' | 'end'): Tuple {
  const separator = args.text(0, 'sep')
  const at = from === 'start' ? text.indexOf(separator) : text.lastIndexOf(separator)
  if (at === -1) return new Tuple(from === 'start' ? [text, '', ''] : ['', '', text])
  return new Tuple([text.slice(0, at), separator, text.slice(at + separator.length)])
}

/** Returns the part of the text that the arguments `start` and `end` name, and its index; undefined if Python finds nothing in it. */
function partOf(text: string, args: CallArguments): { text: string; start: number } | undefined {
  if (args.positional.length < 2) return { text, start: 0 }
  const characters = Array.from(text)
  const bound = (index: number, name: string, otherwise: number) => {
    const at = args.number(index, name, otherwise)
    return at < 0 ? Math.max(at + characters.length, 0) : at
  }
  const [start, end] = [bound(1, 'start', 0), bound(2, 'end', characters.length)]
  if (start > Math.min(end, characters.length)) return undefined
  return { text: characters.slice(start, end).join(''), start }
}

/** Returns the index of the first occurrence (`start`) or the last one (`end`) as Python counts it, in characters. */
function find(text: string, args: CallArguments, from: 'start' | 'end'): number {
  const [part, sub] = [partOf(text, args), args.text(0, 'sub')]
  if (part === undefined) return -1
  const at = from === 'start' ? part.text.indexOf(sub) : part.text.lastIndexOf(sub)
  return at === -1 ? -1 : part.start + Array.from(part.text.slice(0, at)).length
}

function indexOf(text: string, args: CallArguments): number {
  const at = find(text, args, 'start')
  if (at === -1) throw new TemplateError('the text does not contain the other')
  return at
}

function count(text: string, args: CallArguments): number {
  const [part, sub] = [partOf(text, args), args.text(0, 'sub')]
  if (part === undefined) return 0
  return sub === '' ? Array.from(part.text).length + 1 : part.text.split(sub).length - 1
}

/** Tells the compiler that a list may be changed. This is safe, because a template's lists are copies. */
function isMutable(list: readonly Value[]): list is Value[] {
  return Array.isArray(list)
}
