import { createHash } from 'node:crypto'
import { combinedGguf, type TokenType, tokensOf } from '../support/models/combined-gguf.ts'
import { markerTexts } from '../support/models/marker-texts.ts'
import { templateNames, templateSource } from '../support/models/release-files.ts'
import { type Conversation, conversations } from './conversations.ts'
import { isDifferent } from './differences.ts'
import { datesOf } from './prompt-digest.ts'

/** A vocabulary, the control tokens added to it, and a chat template. */
export type Combination = {
  readonly vocabulary: string
  readonly template: string
  readonly controls: readonly string[]
  readonly addsBos: boolean
}

const deepseek = ['<｜User｜>', '<｜Assistant｜>', '<｜end▁of▁sentence｜>']
const distilled = 'deepseek-ai-DeepSeek-R1-Distill-Llama-8B'
const marksOfAll = [
  ...new Set(templateNames().flatMap((name) => markerTexts(templateSource(name)))),
]

/** Each template, with a vocabulary that has the marks of all templates. */
export const everyTemplate = templateNames().map((template) => withAllMarks(template))

/** Combinations whose prompts depend on the vocabulary's rules for BOS and for white space beside tokens. */
export const vocabularyRules: readonly Combination[] = [
  {
    vocabulary: 'phi-3',
    template: 'microsoft-Phi-3.5-mini-instruct',
    controls: ['<|system|>', '<|user|>', '<|assistant|>', '<|end|>'],
    addsBos: true,
  },
  {
    vocabulary: 'llama-spm',
    template: 'mistralai-Mistral-Nemo-Instruct-2407',
    controls: ['[INST]', '[/INST]'],
    addsBos: true,
  },
  // The next template writes no BOS.
  withAllMarks('Qwen-Qwen3-0.6B'),
  // The next template writes BOS itself.
  withAllMarks(distilled),
  { vocabulary: 'gpt-2', template: distilled, controls: deepseek, addsBos: false },
  // The next template sorts the arguments of calls, and one argument is the beginning of a mark.
  withAllMarks('google-gemma-4-31B-it'),
]

function withAllMarks(template: string): Combination {
  return { vocabulary: 'gpt-2', template, controls: marksOfAll, addsBos: true }
}

export function nameOf({ vocabulary, template, addsBos }: Combination): string {
  return `${vocabulary} with ${template}, ${addsBos ? 'adds' : 'does not add'} BOS`
}

/** Returns a loadable model, without its chat template. */
export function modelOf({ vocabulary, controls, addsBos }: Combination): Buffer {
  const tokens = Object.fromEntries(controls.map((text): [string, TokenType] => [text, 'control']))
  return combinedGguf({
    vocabulary,
    tokens,
    metadata: { 'tokenizer.ggml.add_bos_token': addsBos },
    weights: { contextTokens: 8192 },
  })
}

/** Returns the conversations whose tokens are compared: those whose prompt text should equal llama-server's. */
export function comparedConversations(template: string): readonly Conversation[] {
  return conversations.filter(({ name }) => !isDifferent(template, name))
}

/** Returns a function that gives a short digest of a prompt's tokens, without those of the current date. */
export function tokenDigests({ vocabulary }: Combination): (tokens: Iterable<number>) => string {
  const texts = tokensOf(vocabulary)
  return (tokens) =>
    createHash('sha256')
      .update(undated([...tokens], texts).join(' '))
      .digest('hex')
      .slice(0, 16)
}

/** Leaves out the tokens of the current date. */
function undated(tokens: readonly number[], texts: readonly string[]): number[] {
  const written = tokens.map((token) => texts[token] ?? '\0')
  const all = written.join('')
  const spans = datesOf(new Date()).flatMap((date) => spansOf(all, date.replaceAll(' ', 'Ġ')))
  let begin = 0
  return tokens.filter((_, index) => {
    const end = begin + (written[index]?.length ?? 0)
    const isDate = spans.some((span) => begin < span.end && span.begin < end)
    begin = end
    return !isDate
  })
}

type Span = { readonly begin: number; readonly end: number }

function spansOf(text: string, part: string): Span[] {
  const spans: Span[] = []
  for (let begin = text.indexOf(part); begin >= 0; begin = text.indexOf(part, begin + 1))
    spans.push({ begin, end: begin + part.length })
  return spans
}
