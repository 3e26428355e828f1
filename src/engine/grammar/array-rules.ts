import { schemaArrayItemsMax } from '../../limits.ts'
import type { State } from './grammar.ts'
import type { RuleContext } from './rule-context.ts'
import type { Located } from './schemas/facts.ts'
import { join, refused } from './schemas/schema-errors.ts'
import { type Alternative, countsOf, itemOf } from './schemas/schema-values.ts'
import { UniqueItems } from './unique-items.ts'

/** Adds the arrays that are valid against one alternative of a schema. */
export function addArray(
  context: RuleContext,
  start: State,
  alternative: Alternative,
  end: State,
): void {
  const { min, max } = countsOf(alternative)
  if (min > schemaArrayItemsMax) {
    const path = alternative.find(({ minItems }) => minItems === min)?.path ?? ''
    throw refused(join(path, 'minItems'), `is supported up to ${schemaArrayItemsMax}`)
  }
  if (min > max) return
  const prefix = Math.max(0, ...alternative.map((facts) => facts.prefix.length))
  if (prefix > schemaArrayItemsMax) {
    const path = alternative.find((facts) => facts.prefix.length === prefix)?.path ?? ''
    throw refused(join(path, 'prefixItems'), `is supported up to ${schemaArrayItemsMax} items`)
  }
  const most = max === Infinity ? Infinity : Math.min(max, schemaArrayItemsMax)
  const unique = alternative.find(({ isUnique }) => isUnique)
  if (unique !== undefined && most > 1) {
    new UniqueItems(context, alternative, unique.path).add(start, { min, max: most, prefix }, end)
    return
  }
  addItems(context, start, { alternative, min, max: most, prefix }, end)
}

type Items = {
  readonly alternative: Alternative
  readonly min: number
  readonly max: number
  readonly prefix: number
}

/** The `contains` schema and the allowed number of items that match it. */
type Counted = { readonly schema: Located; readonly min: number; readonly max: number }

function countedOf(alternative: Alternative): Counted | undefined {
  const [counting, another] = alternative.filter(({ contains }) => contains !== undefined)
  if (another !== undefined)
    throw refused(join(another.path, 'contains'), 'is supported once for an array')
  if (counting?.contains === undefined) return undefined
  const { contains: schema, minContains: min, maxContains: max, path } = counting
  if (min > schemaArrayItemsMax)
    throw refused(join(path, 'minContains'), `is supported up to ${schemaArrayItemsMax}`)
  return { schema, min, max: max === Infinity ? max : Math.min(max, schemaArrayItemsMax) }
}

/** Adds the items. Each item has one state for every possible number of earlier items that match `contains`. */
function addItems(
  { grammar, json, rule, logic }: RuleContext,
  start: State,
  { alternative, min, max, prefix }: Items,
  end: State,
): void {
  const counted = countedOf(alternative)
  const needed = counted?.min ?? 0
  const levels = counted === undefined ? 0 : counted.max === Infinity ? needed : counted.max
  if (levels < needed) return
  const closing = grammar.state()
  grammar.text(closing, ']', end)
  /** Adds an item after `from`, and collects the states after it in `next`. */
  const addItem = (from: State, index: number, level: number, next: State[]): void => {
    grammar.budget.spend(alternative.length / 4)
    const item = itemOf(alternative, index)
    const to = (next[level] ??= grammar.state())
    if (counted === undefined) grammar.call(from, rule(item), to)
    else {
      const isLimited = counted.max < Infinity
      const other = isLimited ? [...item, logic.opposite(counted.schema)] : item
      grammar.call(from, rule(other), to)
      if (level === levels) return
      next[level + 1] ??= grammar.state()
      grammar.call(from, rule([...item, counted.schema]), next[level + 1] ?? to)
    }
  }
  let at: State[] = [grammar.text(start, '[')]
  const steps = max === Infinity ? Math.max(min, prefix, 1) : max
  for (let index = 0; index < steps; index++) {
    const next: State[] = []
    for (const [level, state] of at.entries()) {
      if (state === undefined) continue
      if (index >= min && level >= needed) grammar.skip(state, closing)
      addItem(index === 0 ? state : json.after(state, ','), index, level, next)
    }
    at = next
  }
  for (let level = 0; level < levels; level++)
    if (max === Infinity) at[level + 1] ??= grammar.state()
  for (const [level, state] of at.entries()) {
    if (level >= needed) grammar.skip(state, closing)
    if (max === Infinity) addItem(json.after(state, ','), steps, level, at)
  }
}
