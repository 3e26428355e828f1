/** A model that `pipit models pull` knows by a short name. Sizes and checksums come from the hub when it is pulled. */
export type CatalogueEntry = {
  readonly name: string
  readonly title: string
  /** Repository on the hub with GGUF files. */
  readonly repo: string
  readonly parameters: string
  readonly licence: string
  /** Longest context in tokens according to the model's card or config, without extensions that must be enabled. */
  readonly contextTokens: number
  /**
   * Quantisation and size of an example file. The size comes from the repository's page or, with only two digits, from
   * another public page.
   */
  readonly exampleFile: string
  readonly goodAt: string
}

/** Day on which the facts below were last compared with public pages. */
export const catalogueDate = '2026-11-25'

export const catalogue: readonly CatalogueEntry[] = [
  {
    name: 'smollm2-135m',
    title: 'SmolLM2 135M Instruct',
    repo: 'bartowski/SmolLM2-135M-Instruct-GGUF',
    parameters: '135M',
    licence: 'apache-2.0',
    contextTokens: 8192,
    exampleFile: 'Q3_K_M, 94 MB',
    goodAt: 'trying things out on a very small machine; English',
  },
  {
    name: 'gemma-3-270m',
    title: 'Gemma 3 270M it',
    repo: 'unsloth/gemma-3-270m-it-GGUF',
    parameters: '270M',
    licence: 'gemma',
    contextTokens: 32_768,
    exampleFile: 'Q8_0, 290 MB',
    goodAt: 'short instructions and classification; a base for fine-tuning',
  },
  {
    name: 'lfm2-350m',
    title: 'LFM2 350M',
    repo: 'LiquidAI/LFM2-350M-GGUF',
    parameters: '350M',
    licence: 'lfm1.0',
    contextTokens: 32_768,
    exampleFile: 'Q8_0, 379 MB',
    goodAt: 'data extraction and short conversations, fast on a CPU; eight languages',
  },
  {
    name: 'smollm2-360m',
    title: 'SmolLM2 360M Instruct',
    repo: 'bartowski/SmolLM2-360M-Instruct-GGUF',
    parameters: '360M',
    licence: 'apache-2.0',
    contextTokens: 8192,
    exampleFile: 'Q8_0, 386 MB',
    goodAt: 'short answers and rewriting; English',
  },
  {
    name: 'qwen3-0.6b',
    title: 'Qwen3 0.6B',
    repo: 'Qwen/Qwen3-0.6B-GGUF',
    parameters: '0.6B',
    licence: 'apache-2.0',
    contextTokens: 32_768,
    exampleFile: 'Q8_0, 640 MB',
    goodAt: 'short chats and tool calls, with or without thoughts; many languages',
  },
  {
    name: 'gemma-3-1b',
    title: 'Gemma 3 1B it',
    repo: 'unsloth/gemma-3-1b-it-GGUF',
    parameters: '1B',
    licence: 'gemma',
    contextTokens: 32_768,
    exampleFile: 'Q4_K_M, 806 MB',
    goodAt: 'chat, summaries and questions; many languages',
  },
  {
    name: 'lfm2-1.2b',
    title: 'LFM2 1.2B',
    repo: 'LiquidAI/LFM2-1.2B-GGUF',
    parameters: '1.2B',
    licence: 'lfm1.0',
    contextTokens: 32_768,
    exampleFile: 'Q4_K_M, 730 MB',
    goodAt: 'data extraction, questions about given texts, conversations; not knowledge or code',
  },
  {
    name: 'llama-3.2-1b',
    title: 'Llama 3.2 1B Instruct',
    repo: 'bartowski/Llama-3.2-1B-Instruct-GGUF',
    parameters: '1B',
    licence: 'llama3.2',
    contextTokens: 131_072,
    exampleFile: 'Q4_K_M, 808 MB',
    goodAt: 'chat, summaries and rewriting; eight languages',
  },
  {
    name: 'qwen3-1.7b',
    title: 'Qwen3 1.7B',
    repo: 'ggml-org/Qwen3-1.7B-GGUF',
    parameters: '1.7B',
    licence: 'apache-2.0',
    contextTokens: 32_768,
    exampleFile: 'Q4_K_M, 1.28 GB',
    goodAt: 'chat, simple reasoning and tool calls; many languages',
  },
  {
    name: 'llama-3.2-3b',
    title: 'Llama 3.2 3B Instruct',
    repo: 'bartowski/Llama-3.2-3B-Instruct-GGUF',
    parameters: '3B',
    licence: 'llama3.2',
    contextTokens: 131_072,
    exampleFile: 'Q5_K_M, 2.32 GB',
    goodAt: 'chat, summaries and tool calls; eight languages',
  },
  {
    name: 'phi-4-mini',
    title: 'Phi-4 mini Instruct',
    repo: 'unsloth/Phi-4-mini-instruct-GGUF',
    parameters: '3.8B',
    licence: 'mit',
    contextTokens: 131_072,
    exampleFile: 'Q4_K_M, 2.49 GB',
    goodAt: 'reasoning, mathematics and code for its size',
  },
  {
    name: 'qwen3-4b',
    title: 'Qwen3 4B',
    repo: 'Qwen/Qwen3-4B-GGUF',
    parameters: '4B',
    licence: 'apache-2.0',
    contextTokens: 32_768,
    exampleFile: 'Q4_K_M, 2.5 GB',
    goodAt: 'reasoning, tool calls and code, with or without thoughts; many languages',
  },
  {
    name: 'gpt-oss-20b',
    title: 'gpt-oss 20B',
    repo: 'unsloth/gpt-oss-20b-GGUF',
    parameters: '21B, 3.6B active',
    licence: 'apache-2.0',
    contextTokens: 131_072,
    exampleFile: 'Q4_K_M, 11.6 GB',
    goodAt: 'reasoning and tool calls on a machine with 16 GB or more',
  },
]

export function findEntry(name: string): CatalogueEntry | undefined {
  return catalogue.find((entry) => entry.name === name.toLowerCase())
}

/** Returns up to three of the names that differ least from `wanted`. */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  const ranked = names.map((name) => ({ name, distance: distance(wanted.toLowerCase(), name) }))
  return ranked
    .toSorted((a, b) => a.distance - b.distance)
    .filter(({ name, distance: changes }) => changes <= Math.max(3, name.length / 2))
    .slice(0, 3)
    .map(({ name }) => name)
}

/** Returns the Levenshtein distance, or 1 if one name contains the other. */
function distance(a: string, b: string): number {
  if (a !== '' && (b.includes(a) || a.includes(b))) return 1
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
