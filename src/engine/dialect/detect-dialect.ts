import { detectToolForm } from '../tool-forms/detect-tool-form.ts'
import { freeVariablesOf } from '../template-syntax/free-variables.ts'
import type { Dialect, Reasoning } from './dialect.ts'
import { dialectTextCharsMax, dialectVariablesMax } from './dialect-limits.ts'

/**
 * Detects how the model writes, from the source of its chat template.
 * @param toolTemplate the source of another template, for conversations with tools
 */
export function detectDialect(chatTemplate: string, toolTemplate = chatTemplate): Dialect {
  const both = [...new Set([chatTemplate, toolTemplate])]
  const [reasoning] = both.flatMap(
    (source) => known.find(({ isIn }) => isIn(source))?.reasoning ?? [],
  )
  const toolForm = detectToolForm(toolTemplate)
  return {
    ...(reasoning !== undefined && { reasoning }),
    ...(toolForm !== undefined && { toolForm }),
    variables: variablesOf(both),
  }
}

type Known = { readonly isIn: (template: string) => boolean; readonly reasoning: Reasoning }

function tags(begin: string, end: string, rest: Partial<Reasoning> = {}): Reasoning {
  return { form: 'tags', begin, end, close: `\n${end}\n\n`, ...rest }
}

/** Returns a test that is true for templates that contain all of the texts. */
const has =
  (...texts: readonly string[]) =>
  (template: string) =>
    texts.every((text) => template.includes(text))

/** Known forms of thoughts in order of preference. The first one whose marks occur in the template is used. */
const known: readonly Known[] = [
  {
    // Harmony: gpt-oss.
    isIn: has('<|start|>assistant', '<|channel|>analysis<|message|>'),
    reasoning: {
      form: 'channels',
      begin: '<|channel|>analysis<|message|>',
      end: '<|end|>',
      close: '<|end|><|start|>assistant<|channel|>final<|message|>',
    },
  },
  {
    // Gemma 4.
    isIn: has('<|channel>thought', '<channel|>'),
    reasoning: tags('<|channel>thought', '<channel|>', { close: '\n<channel|>' }),
  },
  {
    // Cohere North Code.
    isIn: has('<|START_THINKING|>', '<|END_THINKING|>', '<|START_TEXT|>'),
    reasoning: tags('<|START_THINKING|>', '<|END_THINKING|>', {
      close: '<|END_THINKING|><|START_TEXT|>',
      answer: { begins: ['<|START_TEXT|>'], end: '<|END_TEXT|>' },
    }),
  },
  {
    // Cohere Command R7B and later ones.
    isIn: has('<|START_THINKING|>', '<|END_THINKING|>'),
    reasoning: tags('<|START_THINKING|>', '<|END_THINKING|>', {
      close: '<|END_THINKING|><|START_RESPONSE|>',
      answer: { begins: ['<|START_RESPONSE|>'], end: '<|END_RESPONSE|>' },
    }),
  },
  {
    // Mistral: Magistral, Ministral 3.
    isIn: has('[THINK]', '[/THINK]'),
    reasoning: tags('[THINK]', '[/THINK]', { close: '[/THINK]' }),
  },
  {
    // Apertus.
    isIn: has('<|inner_prefix|>', '<|inner_suffix|>'),
    reasoning: tags('<|inner_prefix|>', '<|inner_suffix|>', { close: '<|inner_suffix|>' }),
  },
  {
    isIn: has('<seed:think>', '</seed:think>'),
    reasoning: tags('<seed:think>', '</seed:think>'),
  },
  {
    // MiniMax M3.
    isIn: has('<mm:think>', '</mm:think>'),
    reasoning: tags('<mm:think>', '</mm:think>'),
  },
  {
    // Hunyuan 3, whose template assembles the marks from parts.
    isIn: has("'<think{}>'", "':opensource'"),
    reasoning: tags('<think:opensource>', '</think:opensource>'),
  },
  {
    // Kimi K3.
    isIn: has("'<|open|>'", "'<|sep|>'", "open_tag('think'"),
    reasoning: tags('<|open|>think<|sep|>', '<|close|>think<|sep|>', {
      close: '<|close|>think<|sep|><|open|>response<|sep|>',
      answer: {
        begins: ['<|open|>response<|sep|>'],
        end: '<|close|>response<|sep|>',
        tail: '<|close|>message<|sep|>',
      },
    }),
  },
  {
    // Muse, whose thought is a message to the model itself.
    isIn: has('<|start|>assistant to=self<|message|>', '<|eom|>'),
    reasoning: tags(' to=self<|message|>', '<|eom|>', {
      close: '<|eom|><|start|>assistant<|message|>',
      answer: { begins: ['<|start|>assistant<|message|>', '<|message|>'] },
    }),
  },
  {
    // Solar Open.
    isIn: has('<|think|>', '<|content|>', '<|begin|>assistant', '<|end|>'),
    reasoning: tags('<|think|>', '<|end|>', {
      close: '<|end|><|begin|>assistant<|content|>',
      answer: { begins: ['<|begin|>assistant<|content|>', '<|content|>'], end: '<|end|>' },
    }),
  },
  {
    // Apriel 1.6.
    isIn: has('Here are my reasoning steps', '[BEGIN FINAL RESPONSE]'),
    reasoning: tags('Here are my reasoning steps:', '[BEGIN FINAL RESPONSE]', {
      close: '\n[BEGIN FINAL RESPONSE]\n',
    }),
  },
  {
    // Granite 3.2 and 3.3.
    isIn: has('<think></think>', '<response></response>'),
    reasoning: tags('<think>', '</think>', {
      close: '</think><response>',
      answer: { begins: ['<response>'], end: '</response>' },
    }),
  },
  {
    // Apriel 1.5.
    isIn: (template) => template.includes('</thinking>') && !template.includes('</think>'),
    reasoning: tags('<thinking>', '</thinking>'),
  },
  {
    // EXAONE Deep.
    isIn: (template) => template.includes('</thought>') && !template.includes('</think>'),
    reasoning: tags('<thought>', '</thought>'),
  },
  {
    // Qwen 3, DeepSeek R1 and its distills, QwQ, GLM 4.5, SmolLM 3, Nemotron and most others.
    isIn: has('</think>'),
    reasoning: tags('<think>', '</think>'),
  },
]

/** Returns the names that one of the templates reads. */
function variablesOf(templates: readonly string[]): string[] {
  const names = new Set(templates.flatMap(namesIn))
  const short = [...names].filter((name) => name.length <= dialectTextCharsMax)
  return short.slice(0, dialectVariablesMax)
}

function namesIn(template: string): string[] {
  try {
    return freeVariablesOf(template)
  } catch {
    // The template has a fault, which the start reports when it renders the first prompt.
    return wordsIn(template)
  }
}

/** Returns every word in the template's code, without the names of members. */
function wordsIn(template: string): string[] {
  return [...template.matchAll(/\{[{%]([\s\S]*?)[}%]\}/g)].flatMap(([, code = '']) => {
    const plain = code.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '""')
    return plain.match(/(?<![.\w])[A-Za-z_]\w*/g) ?? []
  })
}
