import { createHash } from 'node:crypto'
import { combinedGguf, type TokenType } from '../support/models/combined-gguf.ts'
import { templateSource } from '../support/models/release-files.ts'
import { conversations } from './conversations.ts'

type Combination = {
  readonly vocabulary: string
  readonly template: string
  readonly controls: readonly string[]
  readonly addsBos: boolean
}

const deepseek = ['<｜User｜>', '<｜Assistant｜>', '<｜end▁of▁sentence｜>']
const distilled = 'deepseek-ai-DeepSeek-R1-Distill-Llama-8B'

/** Vocabularies with templates whose prompts need rules of the vocabulary: BOS and white space beside tokens. */
export const combinations: readonly Combination[] = [
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
  // This template writes no BOS.
  {
    vocabulary: 'gpt-2',
    template: 'Qwen-Qwen3-0.6B',
    controls: ['<|im_start|>', '<|im_end|>'],
    addsBos: true,
  },
  // This one writes it.
  { vocabulary: 'gpt-2', template: distilled, controls: deepseek, addsBos: true },
  { vocabulary: 'gpt-2', template: distilled, controls: deepseek, addsBos: false },
]

export function nameOf({ vocabulary, template, addsBos }: Combination): string {
  return `${vocabulary} with ${template}, ${addsBos ? 'adds' : 'does not add'} BOS`
}

/** Returns a loadable model. */
export function modelOf({ vocabulary, template, controls, addsBos }: Combination): Buffer {
  const tokens = Object.fromEntries(controls.map((text): [string, TokenType] => [text, 'control']))
  return combinedGguf({
    vocabulary,
    chatTemplate: templateSource(template),
    tokens,
    metadata: { 'tokenizer.ggml.add_bos_token': addsBos },
    weights: { contextTokens: 2048 },
  })
}

/** Conversations whose tokens are compared. */
export const tokenConversations = conversations.filter(
  ({ name, tools }) => tools.length === 0 && name !== 'system in the middle' && name !== 'long',
)

/** Returns a short digest of a prompt's tokens. */
export function tokenDigest(tokens: Iterable<number>): string {
  return createHash('sha256')
    .update([...tokens].join(' '))
    .digest('hex')
    .slice(0, 16)
}
