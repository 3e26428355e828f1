import { Budget, SchemaRefused } from '../../grammar/grammar.ts'
import { membersOf } from '../../grammar/members.ts'
import { PatternRefused } from '../../grammar/patterns/dfa.ts'
import { type Located, type Type, types } from '../../grammar/schemas/facts.ts'
import { SchemaLogic } from '../../grammar/schemas/schema-logic.ts'
import { SchemaReader } from '../../grammar/schemas/schema-reader.ts'
import { type Alternative, memberOf, typesOf } from '../../grammar/schemas/schema-values.ts'
import type { Tool } from '../../tools.ts'

/** The values that an argument can have. `types` has `integer` only if other numbers are not allowed. */
export type ArgumentType = {
  readonly types: ReadonlySet<Type>
  /** Returns true if the value is valid against the schema of the argument. */
  readonly admits: (value: unknown) => boolean
}

const anything: ArgumentType = { types: new Set(types), admits: () => true }

/**
 * Steps of work on the arguments of one tool, about a microsecond each: in all, to read the schema, and for each look at
 * an argument. This is less than the tool's grammar may take, because it runs in the process that serves.
 */
const workMax = 500_000
const readWorkMax = 50_000
const lookWorkMax = 10_000
/** Names whose types are kept. A map has as many names as the model invents. */
const keptTypesMax = 1000

/** An alternative of the arguments, with a function that tells whether the grammar lets it have a name. */
type Way = { readonly object: Alternative; readonly hasName: (name: string) => boolean }

type ReadSchema = {
  readonly root: unknown
  readonly ways: readonly Way[]
  readonly logic: SchemaLogic
  readonly budget: PartedBudget
  /** Types of the arguments by name, as long as no alternative is ruled out. */
  readonly types: Map<string, ArgumentType>
}

/** A budget of which each part of the work may take no more than its own. */
class PartedBudget extends Budget {
  #left = readWorkMax

  /** Begins a part of the work. */
  begin(partMax: number): void {
    this.#left = partMax
  }

  override spend(work: number): void {
    this.#left -= work
    if (this.#left < 0) throw new SchemaRefused('', 'This part of the schema is too complex.')
    super.spend(work)
  }
}

const known = new WeakMap<Tool, ReadSchema>()

/** The possible values of the arguments of one call, by their names. */
export class ArgumentTypes {
  readonly #schema: ReadSchema | undefined
  /** The alternatives that admit the arguments read so far. */
  #ways: readonly Way[]

  constructor(tool: Tool | undefined) {
    this.#schema = tool?.parameters === undefined ? undefined : readOnce(tool, tool.parameters)
    this.#ways = this.#schema?.ways ?? []
  }

  of(name: string): ArgumentType {
    const schema = this.#schema
    if (schema === undefined) return anything
    const isNarrowed = this.#ways !== schema.ways
    const kept = isNarrowed ? undefined : schema.types.get(name)
    if (kept !== undefined) return kept
    schema.budget.begin(lookWorkMax)
    const type = within(plainType(schema.root, name), () =>
      typeOfArgument(schema, this.#waysWith(name), name),
    )
    if (!isNarrowed && schema.types.size < keptTypesMax) schema.types.set(name, type)
    return type
  }

  /** Drops the alternatives that this value of an argument rules out, such as those of another kind of object. */
  narrow(name: string, value: unknown): void {
    if (this.#schema === undefined || this.#ways.length < 2) return
    const { logic, budget } = this.#schema
    budget.begin(lookWorkMax)
    const left = within([], () =>
      this.#waysWith(name).filter(({ object }) =>
        memberOf(object, name, budget).every((schema) => logic.admits(schema, value)),
      ),
    )
    if (left.length > 0) this.#ways = left
  }

  #waysWith(name: string): readonly Way[] {
    const able = this.#ways.filter(({ hasName }) => hasName(name))
    return able.length > 0 ? able : this.#ways
  }
}

function readOnce(tool: Tool, parameters: string): ReadSchema {
  const found = known.get(tool) ?? readSchema(parameters)
  known.set(tool, found)
  return found
}

function readSchema(parameters: string): ReadSchema {
  const schema: unknown = JSON.parse(parameters)
  const budget = new PartedBudget(workMax)
  // Types need no automata, and those of a few patterns would take all of the budget.
  const logic = new SchemaLogic(new SchemaReader(schema, budget, { readsTexts: false }))
  const root = { schema, path: '' }
  const objects = within<readonly Alternative[]>([[]], () =>
    logic.alternatives([root, { schema: { type: 'object' }, path: '' }]),
  )
  const ways = objects.map((object): Way => {
    const members = within(undefined, () => membersOf(object, { budget }, logic))
    const names = new Set(members?.names)
    const hasAny = members === undefined || members.isMap
    return { object, hasName: (name) => hasAny || names.has(name) }
  })
  return { root: schema, ways, logic, budget, types: new Map() }
}

/** Returns the type that the schema of an argument names; any type if it names none or several. */
function plainType(root: unknown, name: string): ArgumentType {
  const properties = isRecord(root) ? root['properties'] : undefined
  const schema = isRecord(properties) ? properties[name] : undefined
  const named = isRecord(schema) ? types.filter((type) => type === schema['type']) : []
  return named.length === 0 ? anything : { ...anything, types: new Set(named) }
}

function typeOfArgument(
  { logic, budget }: ReadSchema,
  ways: readonly Way[],
  name: string,
): ArgumentType {
  const found = new Set<Type>()
  const choices: (readonly Located[])[] = []
  for (const { object } of ways) {
    if (object.some(({ forbidden }) => forbidden.includes(name))) continue
    const schemas = memberOf(object, name, budget)
    choices.push(schemas)
    for (const alternative of logic.alternatives(schemas))
      for (const type of logic.values(alternative)?.map(typeOf) ?? typesOf(alternative))
        found.add(type)
  }
  const admits = (value: unknown): boolean => {
    budget.begin(lookWorkMax)
    return within(true, () =>
      choices.some((schemas) => schemas.every((each) => logic.admits(each, value))),
    )
  }
  return { types: found, admits }
}

/** Returns the result of reading a schema, or `otherwise` if the schema is refused. */
function within<T>(otherwise: T, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof SchemaRefused || error instanceof PatternRefused) return otherwise
    throw error
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function typeOf(value: unknown): Type {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (Number.isInteger(value)) return 'integer'
  const type = typeof value
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object'
}
