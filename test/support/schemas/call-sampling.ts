import { compileToolCalls, type ToolCalls } from '../../../src/engine/tool-forms/compile-tools.ts'
import { ToolCallReader } from '../../../src/engine/tool-forms/reading/tool-call-reader.ts'
import { marksOf, openingsOf, type ToolForm } from '../../../src/engine/tool-forms/tool-form.ts'
import { sampleText, vocabularyOf } from './grammar-sampling.ts'

type Call = { name: string; text: string }
type Read = { text: string; calls: Call[]; hasCalled: boolean }

/** Reads a reply in pieces of `size` characters. */
export function readCalls(
  form: ToolForm,
  tools: ToolCalls['tools'],
  reply: string,
  size = 3,
  hasFinal = false,
): Read {
  const reader = new ToolCallReader(form, tools, hasFinal)
  const result: Read = { text: '', calls: [], hasCalled: false }
  const add = ({ text, calls }: ReturnType<ToolCallReader['push']>): void => {
    result.text += text
    for (const delta of calls)
      if (delta.type === 'call') result.calls.push({ name: delta.name, text: '' })
      else result.calls[delta.call]!.text += delta.text
  }
  for (let at = 0; at < reply.length; at += size) add(reader.push(reply.slice(at, at + size)))
  add(reader.finish())
  return { ...result, hasCalled: reader.hasCalled }
}

/** Returns complete replies that the grammar of the form allows, sampled from a vocabulary with its marks. */
export function sampleCalls(
  form: ToolForm,
  calls: ToolCalls,
  count: number,
  more: readonly string[] = [],
): string[] {
  const grammar = compileToolCalls(calls, form)
  const openings = openingsOf(form).map((opening) => `${opening}${form.name}stop_all`)
  const marks = marksOf(form)
    .flatMap((mark) => mark.split(/[#*]/))
    .filter((mark) => mark !== '')
  const words = vocabularyOf([...openings, ...marks, ...punctuation, ...more])
  const bytes = Array.from({ length: 128 }, (_, byte) => Uint8Array.of(128 + byte))
  const vocabulary = {
    tokens: [...words.tokens, ...bytes],
    // Single bytes, for marks that no token contains whole. Their low logits keep them out of all other text.
    logits: Float32Array.from([...words.logits, ...bytes.map(() => -80)]),
  }
  const texts = Array.from({ length: count }, (_, seed) =>
    sampleText(grammar, seed, 400, vocabulary),
  )
  return texts.filter((text) => text !== undefined)
}

const punctuation = ['{"', '":', '"', '}', ']', ',', '1', '2', '0', '\n', 'null']
