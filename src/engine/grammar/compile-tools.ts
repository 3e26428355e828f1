import { toolCallsMax } from '../../limits.ts'
import { argumentsBegin, callBegin, callEnd, nameBegin, noParameters, type Tool } from '../tools.ts'
import { requirePossible, SchemaCompiler } from './compile-schema.ts'
import { type Grammar, GrammarBuilder, SchemaRefused, type State } from './grammar.ts'
import { JsonRules } from './json-rules.ts'

export type ToolChoice = 'auto' | 'required' | { readonly name: string }

/**
 * Compiles a grammar for replies that call tools. With `auto` any text may come first; a text that begins
 * like a call is a call, and only further calls follow it. Otherwise the reply consists of calls.
 * @throws SchemaRefused, with the path of a tool's schema
 */
export function compileToolCalls(
  tools: readonly Tool[],
  choice: ToolChoice,
  areParallel: boolean,
): Grammar {
  const grammar = new GrammarBuilder()
  const json = new JsonRules(grammar)
  const [root, end] = [grammar.state(), grammar.state()]
  grammar.end(end)
  // The state after the mark that begins a call.
  const call = grammar.state()
  const called = grammar.state()
  const rules: State[] = []
  for (const [index, tool] of tools.entries()) {
    const rule = compileArguments(grammar, json, tool, index)
    rules.push(rule)
    if (typeof choice === 'object' && choice.name !== tool.name) continue
    const value = grammar.text(call, `${nameBegin}${tool.name}${argumentsBegin}`)
    const closing = grammar.state()
    grammar.call(value, rule, closing)
    grammar.text(closing, callEnd, called)
  }
  const impossible = grammar.findImpossible(rules)
  if (impossible !== -1)
    throw new SchemaRefused(pathOf(impossible), 'No object can fulfil the schema.')
  grammar.end(called)
  let rest = grammar.state()
  if (choice === 'auto') addTextUntilCall(grammar, root, rest, end)
  else grammar.text(root, callBegin, rest)
  for (let count = 1; ; count++) {
    const after = grammar.state()
    grammar.call(rest, call, after)
    grammar.skip(after, end)
    if (!areParallel || count === toolCallsMax) break
    rest = grammar.text(after, `\n${callBegin}`)
  }
  return requirePossible(grammar.finish(root))
}

function compileArguments(
  grammar: GrammarBuilder,
  json: JsonRules,
  { parameters }: Tool,
  index: number,
): State {
  try {
    const schema: unknown = parameters === undefined ? noParameters : JSON.parse(parameters)
    return new SchemaCompiler(schema, grammar, json).compileObject()
  } catch (error) {
    throw error instanceof SchemaRefused ? error.within(pathOf(index)) : error
  }
}

function pathOf(tool: number): string {
  return `tools[${tool}].function.parameters`
}

/** Adds any bytes up to the mark that begins a call, which leads to `call`. */
function addTextUntilCall(grammar: GrammarBuilder, from: State, call: State, end: State): void {
  const mark = Buffer.from(callBegin)
  const states = [from, ...Array.from({ length: mark.length - 1 }, () => grammar.state()), call]
  for (const [read, byte] of mark.entries()) {
    const state = states[read] ?? from
    grammar.skip(state, end)
    grammar.bytes(state, byte, byte, states[read + 1] ?? call)
    // The first byte of the mark occurs in it only once, so a mismatch restarts at that byte.
    const again = mark[0] ?? 0
    const others = [...new Set([byte, again])].toSorted((a, b) => a - b)
    if (byte !== again) grammar.bytes(state, again, again, states[1] ?? call)
    let next = 0
    for (const other of [...others, 256]) {
      if (next < other) grammar.bytes(state, next, other - 1, from)
      next = other + 1
    }
  }
}
