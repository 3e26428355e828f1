import type { State } from './grammar.ts'
import { addMembers, type Members, membersOf } from './members.ts'
import { membersMaxOf, NameRegions } from './name-regions.ts'
import type { RuleContext } from './rule-context.ts'
import { type Alternative, memberOf } from './schemas/schema-values.ts'

/** Adds the objects that are valid against one alternative of a schema. */
export function addObject(
  context: RuleContext,
  start: State,
  object: Alternative,
  end: State,
): void {
  const { grammar, json, logic, rule } = context
  const members = membersOf(object, grammar, logic)
  if (members === undefined) return
  if (members.isMap) {
    addMap(context, start, { object, members }, end)
    return
  }
  const ends = addMembers(grammar, grammar.text(start, '{'), members, {
    separate: (from) => json.after(from, ','),
    member: (name) => {
      const value = rule(memberOf(object, name, grammar.budget))
      grammar.budget.spend(object.length / 4)
      return (from, to) =>
        grammar.call(json.after(grammar.text(from, JSON.stringify(name)), ':'), value, to)
    },
  })
  for (const state of ends) grammar.text(state, '}', end)
}

/** Adds objects with any names that the schemas admit, each at most once. */
function addMap(
  { grammar, json, strings, logic, rule, isPossible }: RuleContext,
  start: State,
  { object, members: { min, max } }: { object: Alternative; members: Members },
  end: State,
): void {
  const regions = new NameRegions(object, grammar.budget, logic).read()
  const [only] = regions
  if (regions.length === 1 && only?.names === undefined && min === 0 && max === Infinity) {
    grammar.call(start, json.map(rule(only?.schemas ?? [])), end)
    return
  }
  const addMember = (from: State, to: State): void => {
    for (const { names, schemas } of regions) {
      const automata = names === undefined ? [] : [names]
      const name = strings.rule({ automata, min: 0, max: Infinity, isPlain: true })
      const colon = grammar.state()
      grammar.key(from, name, colon, names !== undefined)
      grammar.call(json.after(colon, ':'), rule(schemas), to)
    }
  }
  const most = membersMaxOf(regions, max, isPossible, grammar.budget)
  grammar.call(start, json.series('{', addMember, '}', { min, max: most }), end)
}
