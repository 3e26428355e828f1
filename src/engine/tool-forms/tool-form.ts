/**
 * Text form in which a family of models calls tools: `begin` and `open`, then for each call `name` NAME `arguments`
 * ARGUMENTS `callEnd`, with `between` between two calls, then `end`.
 *
 * In these texts `#` stands for a call's number and `*` for an id of nine letters or digits that a template writes. A
 * list contains alternatives; the first is the usual one.
 */
export type ToolForm = JsonForm | TaggedForm | DictionaryForm | PythonForm

type CallMarks = {
  /** A reply that contains this mark calls a tool. Never empty. */
  readonly begin: Mark
  /** Further texts that begin a call, but only at the start of a reply. */
  readonly first?: Mark
  /** Begins another message of the same reply after a thought. It may precede a call. */
  readonly turn?: string
  /** Written before the first call. */
  readonly open?: string
  readonly name: string
  readonly arguments: Mark
  readonly callEnd: string
  readonly between: Mark
  readonly end: string
  /** Text that may come before `begin`. With a lead, only the start of a reply can be a call. */
  readonly lead?: string | undefined
  /** True if the family makes only one call in a reply. */
  readonly isSingle?: boolean
  /** True if no text can contain `begin`. */
  readonly isReserved?: boolean
}
export type Mark = string | readonly string[]

/** Arguments are a JSON object. */
export type JsonForm = CallMarks & { readonly type: 'json' }

/**
 * Each argument is `key` KEY `value` VALUE `valueEnd`, and `afterValue` before the next one. A value is JSON, except
 * that a string is written without quotes.
 */
export type TaggedForm = CallMarks & {
  readonly type: 'tagged'
  readonly key: string
  readonly value: Mark
  /** Written before a string instead of `value`, if it differs. */
  readonly stringValue?: string
  readonly valueEnd: string
  readonly afterValue: Mark
  /** Marks around a string that contains `<`. Other strings are written without them. */
  readonly markup?: { readonly begin: string; readonly end: string }
}

/** Arguments are an object with bare keys, whose strings are enclosed in `quote`. */
export type DictionaryForm = CallMarks & { readonly type: 'dictionary'; readonly quote: string }

/** Arguments are keyword arguments of a call in Python. */
export type PythonForm = CallMarks & { readonly type: 'python' }

/** Returns the possible beginnings of a reply that consists of calls. */
export function openingsOf({ begin, first = [], lead, turn }: ToolForm): readonly string[] {
  const begins = alternativesOf(begin)
  return [
    ...begins,
    ...alternativesOf(first),
    ...(lead === undefined ? [] : begins.map((text) => lead + text)),
    ...(turn === undefined
      ? []
      : begins.filter((text) => !text.startsWith(turn)).map((text) => turn + text)),
  ]
}

/**
 * Returns true if only the start of a reply can be a call.
 * @param hasFinal a reply without calls has a format of its own, such as JSON, whose strings may be any text
 */
export function isCallAtStart({ lead, isReserved = false }: ToolForm, hasFinal: boolean): boolean {
  return lead !== undefined || (hasFinal && !isReserved)
}

/** Returns the alternatives of a mark; never an empty list. */
export function alternativesOf(mark: Mark): readonly string[] {
  return typeof mark === 'string' ? [mark] : mark
}

/** Returns every text of the form, to search for special tokens in them. */
export function marksOf(form: ToolForm): readonly string[] {
  return Object.entries(form).flatMap(([field, mark]) => {
    if (field === 'type' || typeof mark === 'boolean' || mark === undefined) return []
    return typeof mark === 'object' && 'begin' in mark
      ? [mark.begin, mark.end]
      : alternativesOf(mark)
  })
}
