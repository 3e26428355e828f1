import type { ChatCompletionRequest } from '../../../src/protocol/chat/chat-request.ts'
import { parseJsonObject } from './json-text.ts'

/** What is in the form, as it was typed; empty: the service's default. */
export type Settings = Readonly<Record<SettingName, string>>
export type SettingName = NumberSetting['name'] | 'stop' | 'logit_bias' | 'format' | 'schema'
export type Parameters = Omit<ChatCompletionRequest, 'model' | 'messages'>
/** By field, in words. */
export type SettingFaults = Partial<Record<SettingName, string>>

export type NumberSetting = (typeof numberSettings)[number]

const number = { kind: 'number' } as const
const integer = { kind: 'integer' } as const

/** A test holds the bounds and defaults to those of the service's schema. */
export const numberSettings = [
  {
    ...number,
    name: 'temperature',
    label: 'Temperature',
    min: 0,
    max: 1,
    default: 0.7,
    help: '0 always takes the likeliest token; higher varies more.',
  },
  {
    ...integer,
    name: 'max_tokens',
    label: 'Longest reply',
    min: 1,
    max: 2048,
    default: 256,
    help: 'In tokens. A reply that reaches it is cut (finish reason length).',
  },
  {
    ...number,
    name: 'top_p',
    label: 'Top p',
    min: 0,
    max: 1,
    default: 1,
    help: 'Sample among the likeliest tokens that together have this probability.',
  },
  {
    ...integer,
    name: 'top_k',
    label: 'Top k',
    min: 0,
    max: 1000,
    default: 0,
    help: 'Sample among so many of the likeliest tokens; 0: among all.',
  },
  {
    ...number,
    name: 'min_p',
    label: 'Min p',
    min: 0,
    max: 1,
    default: 0,
    help: 'Leave out tokens less likely than this share of the likeliest one.',
  },
  {
    ...number,
    name: 'presence_penalty',
    label: 'Presence penalty',
    min: -2,
    max: 2,
    default: 0,
    help: 'Taken once from every token that the reply already has.',
  },
  {
    ...number,
    name: 'frequency_penalty',
    label: 'Frequency penalty',
    min: -2,
    max: 2,
    default: 0,
    help: 'Taken from a token each time that the reply has it.',
  },
  {
    ...integer,
    name: 'seed',
    label: 'Seed',
    min: Number.MIN_SAFE_INTEGER,
    max: Number.MAX_SAFE_INTEGER,
    default: null,
    help: 'The same seed and request give the same reply.',
  },
  {
    ...integer,
    name: 'n',
    label: 'Replies',
    min: 1,
    max: 4,
    default: 1,
    help: 'How many replies to the same messages.',
  },
  {
    ...integer,
    name: 'top_logprobs',
    label: 'Log-probabilities',
    min: 0,
    max: 20,
    default: null,
    help: "Show each token's probability, and so many of the likeliest at its place.",
  },
] as const

export const stopSequencesMax = 4
export const stopSequenceCharsMax = 256
export const logitBiasMax = 100
export const logitBiasEntriesMax = 1024

export const formats = ['text', 'json_object', 'json_schema'] as const

export const defaultSettings: Settings = {
  temperature: '',
  max_tokens: '',
  top_p: '',
  top_k: '',
  min_p: '',
  presence_penalty: '',
  frequency_penalty: '',
  seed: '',
  n: '',
  top_logprobs: '',
  stop: '',
  logit_bias: '',
  format: '',
  schema: '',
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(defaultSettings, name)
}

/** What the request gets of them, and what is wrong with the others. */
export function parseSettings(settings: Settings): {
  parameters: Parameters
  faults: SettingFaults
} {
  const parameters: Parameters = {}
  const faults: SettingFaults = {}
  for (const setting of numberSettings) {
    const value = parseNumber(setting, settings[setting.name])
    if (value === undefined) continue
    if (typeof value === 'string') faults[setting.name] = value
    else parameters[setting.name] = value
  }
  if (parameters.top_logprobs !== undefined) parameters.logprobs = true
  take(parseStop(settings.stop), 'stop', (stop) => (parameters.stop = stop))
  take(parseLogitBias(settings.logit_bias), 'logit_bias', (bias) => (parameters.logit_bias = bias))
  take(parseFormat(settings), 'schema', (format) => (parameters.response_format = format))
  return { parameters, faults }

  function take<T>(parsed: Parsed<T>, name: SettingName, keep: (value: T) => void): void {
    if ('fault' in parsed) faults[name] = parsed.fault
    else if (parsed.value !== undefined) keep(parsed.value)
  }
}

type Parsed<T> = { value: T | undefined } | { fault: string }

function parseNumber(
  { kind, label, min, max }: NumberSetting,
  text: string,
): number | string | undefined {
  if (text.trim() === '') return undefined
  const form = kind === 'integer' ? /^[+-]?\d+$/ : /^[+-]?(\d+[.,]?\d*|[.,]\d+)$/
  const value = Number(text.trim().replace(',', '.'))
  if (form.test(text.trim()) && value >= min && value <= max) return value
  const range = Number.isSafeInteger(max) && max > 1e6 ? '' : ` from ${min} to ${max}`
  return `${label} must be ${kind === 'integer' ? 'a whole number' : 'a number'}${range}.`
}

/** One sequence a line; `\n` and `\t` stand for a line break and a tab, `\\` for a backslash. */
function parseStop(text: string): Parsed<string[]> {
  const sequences = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) =>
      line.replace(/\\([nt\\])/g, (_, letter: string) =>
        letter === 'n' ? '\n' : letter === 't' ? '\t' : '\\',
      ),
    )
  if (sequences.length === 0) return { value: undefined }
  if (sequences.length > stopSequencesMax)
    return { fault: `At most ${stopSequencesMax} stop sequences, one a line.` }
  if (sequences.some((sequence) => sequence.length > stopSequenceCharsMax))
    return { fault: `A stop sequence has at most ${stopSequenceCharsMax} characters.` }
  return { value: sequences }
}

function parseLogitBias(text: string): Parsed<Record<string, number>> {
  if (text.trim() === '') return { value: undefined }
  const parsed = parseJsonObject(text)
  if ('fault' in parsed) return parsed
  const bias: Record<string, number> = {}
  for (const [token, value] of Object.entries(parsed.value)) {
    if (!/^\d+$/.test(token)) return { fault: `“${token}” is not a token id, which is a number.` }
    if (typeof value !== 'number' || Math.abs(value) > logitBiasMax)
      return { fault: `The bias of token ${token} must be a number from -100 to 100.` }
    bias[token] = value
  }
  if (Object.keys(bias).length > logitBiasEntriesMax)
    return { fault: `At most ${logitBiasEntriesMax} tokens.` }
  return { value: bias }
}

function parseFormat({
  format,
  schema,
}: Settings): Parsed<NonNullable<Parameters['response_format']>> {
  if (format === 'json_object') return { value: { type: 'json_object' } }
  if (format !== 'json_schema') return { value: undefined }
  if (schema.trim() === '') return { fault: 'Write the JSON Schema that the reply must fulfil.' }
  const parsed = parseJsonObject(schema)
  if ('fault' in parsed) return parsed
  return {
    value: { type: 'json_schema', json_schema: { name: 'reply', schema: parsed.value } },
  }
}
