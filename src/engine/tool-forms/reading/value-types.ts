import { Budget, SchemaRefused } from '../../grammar/grammar.ts'
import { PatternRefused } from '../../grammar/patterns/dfa.ts'
import { type Located, type Type, types as all } from '../../grammar/schemas/facts.ts'
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

const anything: ArgumentType = { types: new Set(all), admits: () => true }

/**
 * Steps of work on the arguments of one tool, about a microsecond each. This is a part of what the tool's grammar may
 * take, because it runs in the process that serves. Arguments that need more count as any type.
 */
const workMax = 50_000

const known = new WeakMap<Tool, (name: string) => ArgumentType>()

/** Returns a function that gives the possible values of an argument by its name. */
export function typesOfArguments(tool: Tool | undefined): (name: string) => ArgumentType {
  if (tool?.parameters === undefined) return () => anything
  const found = known.get(tool) ?? readArguments(tool.parameters)
  known.set(tool, found)
  return found
}

function readArguments(parameters: string): (name: string) => ArgumentType {
  const schema: unknown = JSON.parse(parameters)
  const budget = new Budget(workMax)
  const logic = new SchemaLogic(new SchemaReader(schema, budget))
  const root = { schema, path: '' }
  const objects = within<readonly Alternative[]>([[]], () =>
    logic.alternatives([root, { schema: { type: 'object' }, path: '' }]),
  )
  const read = new Map<string, ArgumentType>()
  return (name) => {
    const type =
      read.get(name) ?? within(anything, () => typeOfArgument({ logic, budget }, objects, name))
    read.set(name, type)
    return type
  }
}

function typeOfArgument(
  { logic, budget }: { logic: SchemaLogic; budget: Budget },
  objects: readonly Alternative[],
  name: string,
): ArgumentType {
  const types = new Set<Type>()
  const ways: (readonly Located[])[] = []
  for (const object of objects) {
    if (object.some(({ forbidden }) => forbidden.includes(name))) continue
    const schemas = memberOf(object, name, budget)
    ways.push(schemas)
    for (const alternative of logic.alternatives(schemas))
      for (const type of logic.values(alternative)?.map(typeOf) ?? typesOf(alternative))
        types.add(type)
  }
  const admits = (value: unknown): boolean =>
    within(true, () => ways.some((schemas) => schemas.every((each) => logic.admits(each, value))))
  return { types, admits }
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

function typeOf(value: unknown): Type {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (Number.isInteger(value)) return 'integer'
  const type = typeof value
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object'
}
