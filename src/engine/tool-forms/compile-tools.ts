import { parseInOrder } from '../../json-order.ts'
import { toolCallsMax } from '../../limits.ts'
import { addMark } from './call-grammar.ts'
import { addTextUntil } from './free-text.ts'
import { DictionaryArguments } from './dictionary-arguments.ts'
import { PythonArguments } from './python-arguments.ts'
import { TaggedArguments } from './tagged-arguments.ts'
import { alternativesOf, openingsOf, type ToolForm } from './tool-form.ts'
import { noParameters, type Tool } from '../tools.ts'
import {
  addChoice,
  requirePossible,
  SchemaCompiler,
  SharedRules,
} from '../grammar/compile-schema.ts'
import {
  Budget,
  type Grammar,
  GrammarBuilder,
  SchemaRefused,
  type State,
} from '../grammar/grammar.ts'

export type ToolChoice = 'auto' | 'required' | { readonly name: string }

/**
 * Format of a reply that calls no tool: any JSON object, JSON that is valid against a schema, or one of a list of
 * non-empty texts.
 */
export type FinalFormat =
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly schema: string; readonly at: string }
  | { readonly type: 'choice'; readonly texts: readonly string[] }

export type ToolCalls = {
  readonly tools: readonly Tool[]
  readonly choice: ToolChoice
  /** True if a reply may contain more than one call. */
  readonly areParallel: boolean
  readonly final?: FinalFormat | undefined
}

/**
 * Compiles a grammar for replies that call tools. With `auto` any text may come first. A text that begins like a call
 * is a call, and only further calls follow it. With `auto` and a final format, the reply is either calls or a value of
 * that format. Otherwise the reply consists of calls.
 * @throws SchemaRefused, with the path of a tool's schema
 */
export function compileToolCalls(
  { tools, choice, areParallel, final }: ToolCalls,
  form: ToolForm,
  budget = new Budget(),
): Grammar {
  const grammar = new GrammarBuilder(budget)
  const shared = new SharedRules(grammar)
  const [root, called, end] = [grammar.state(), grammar.state(), grammar.state()]
  grammar.end(end)
  const call = addCall(grammar, shared, { tools, choice }, form)
  // The state after the mark that begins a call.
  let rest = grammar.state()
  if (choice === 'auto' && final === undefined) {
    const marks = form.lead === undefined ? alternativesOf(form.begin) : []
    const first = form.lead === undefined ? alternativesOf(form.first ?? []) : openingsOf(form)
    addTextUntil(grammar, root, { marks, first, end }, rest)
  } else {
    grammar.anyText(root, openingsOf(form), rest)
    if (choice === 'auto' && final !== undefined)
      grammar.call(root, compileFinal(grammar, shared, final), end)
  }
  rest = addMark(grammar, rest, form.open ?? '')
  for (let count = 1; ; count++) {
    const after = grammar.state()
    grammar.call(rest, call, after)
    grammar.skip(after, called)
    if (!areParallel || form.isSingle === true || count === toolCallsMax) break
    rest = addMark(grammar, after, form.between)
  }
  grammar.skip(addMark(grammar, called, form.end), end)
  return requirePossible(grammar.finish(root))
}

/** Adds the rule of one call, and returns it. */
function addCall(
  grammar: GrammarBuilder,
  shared: SharedRules,
  { tools, choice }: Pick<ToolCalls, 'tools' | 'choice'>,
  form: ToolForm,
): State {
  const [call, called, values] = [grammar.state(), grammar.state(), grammar.state()]
  grammar.end(called)
  const name = addMark(grammar, call, form.name)
  const starts: State[] = []
  for (const [index, tool] of tools.entries()) {
    const start = grammar.state()
    starts.push(start)
    try {
      addArguments(grammar, shared, { tool, index, form }, start, values)
    } catch (error) {
      throw grammar.budget.isExceeded && tools.length > 1 ? tooComplex() : error
    }
    if (typeof choice === 'object' && choice.name !== tool.name) continue
    grammar.skip(addMark(grammar, grammar.text(name, tool.name), form.arguments), start)
  }
  grammar.skip(addMark(grammar, values, form.callEnd), called)
  const impossible = grammar.findImpossible(starts)
  if (impossible !== -1)
    throw new SchemaRefused(pathOf(impossible), 'No object can fulfil the schema.')
  return call
}

function tooComplex(): SchemaRefused {
  return new SchemaRefused(
    'tools',
    'The schemas of all tools together are too complex. Make them smaller, or send fewer tools.',
  )
}

type ToolInForm = { readonly tool: Tool; readonly index: number; readonly form: ToolForm }

function addArguments(
  grammar: GrammarBuilder,
  shared: SharedRules,
  { tool: { parameters }, index, form }: ToolInForm,
  from: State,
  to: State,
): void {
  try {
    const schema: unknown = parameters === undefined ? noParameters : parseInOrder(parameters)
    const compiler = new SchemaCompiler(schema, grammar, shared)
    const parts = { schema, grammar, json: shared.json, compiler }
    switch (form.type) {
      case 'json':
        grammar.call(from, compiler.compileObject(), to)
        break
      case 'tagged':
        new TaggedArguments(parts, form).add(from, to)
        break
      case 'dictionary':
        new DictionaryArguments(parts, form).add(from, to)
        break
      case 'python':
        new PythonArguments(parts).add(from, to)
    }
  } catch (error) {
    throw error instanceof SchemaRefused ? error.within(pathOf(index)) : error
  }
}

function compileFinal(grammar: GrammarBuilder, shared: SharedRules, final: FinalFormat): State {
  const { json } = shared
  if (final.type === 'json_object') return json.map(json.any())
  if (final.type === 'choice') return addChoice(grammar, final.texts)
  try {
    const rule = new SchemaCompiler(parseInOrder(final.schema), grammar, shared).compile()
    if (grammar.findImpossible([rule]) === -1) return rule
    throw new SchemaRefused('', 'No value of a usable size can be valid against the schema.')
  } catch (error) {
    throw error instanceof SchemaRefused ? error.within(final.at) : error
  }
}

function pathOf(tool: number): string {
  return `tools[${tool}].function.parameters`
}
