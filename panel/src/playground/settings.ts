import type { ChatCompletionRequest } from '../../../src/protocol/chat/chat-request.ts'
import { parseJsonObject } from './json-text.ts'
import { parseTools, toolChoices } from './tools/tool-definitions.ts'

/** The form's values as typed. Empty means the service's default. */
export type Settings = Readonly<Record<SettingName, string>>
export type SettingName =
  | NumberSetting['name']
  | 'stop'
  | 'logit_bias'
  | 'format'
  | 'schema'
  | 'tools'
  | 'tool_choice'
export type Parameters = Omit<ChatCompletionRequest, 'model' | 'messages'>
/** Messages for invalid settings, by field. */
type SettingFaults = Partial<Record<SettingName, string>>

export type NumberSetting = (typeof numberSettings)[number]

const number = { kind: 'number' } as const
const integer = { kind: 'integer' } as const

/** The numeric settings. A test compares their bounds and defaults with the service's schema. */
export const numberSettings = [
  {
    ...number,
    name: 'temperature',
    label: 'Temperature',
    min: 0,
    max: 1,
    default: 0.7,
    help: '0 always picks the most likely token. Higher values vary more.',
  },
  {
    ...integer,
    name: 'max_tokens',
    label: 'Max tokens',
    min: 1,
    max: 2048,
    default: 256,
    help: 'The reply is cut off at this length (finish reason length).',
  },
  {
    ...number,
    name: 'top_p',
    label: 'Top P',
    min: 0,
    max: 1,
    default: 1,
    help: 'Sample from the most likely tokens whose probabilities add up to this value.',
  },
  {
    ...integer,
    name: 'top_k',
    label: 'Top K',
    min: 0,
    max: 1000,
    default: 0,
    help: 'Sample from this many of the most likely tokens. 0 means all.',
  },
  {
    ...number,
    name: 'min_p',
    label: 'Min P',
    min: 0,
    max: 1,
    default: 0,
    help: 'Exclude tokens less likely than this fraction of the most likely one.',
  },
  {
    ...number,
    name: 'presence_penalty',
    label: 'Presence penalty',
    min: -2,
    max: 2,
    default: 0,
    help: 'Subtracted once from the logit of each token already in the reply.',
  },
  {
    ...number,
    name: 'frequency_penalty',
    label: 'Frequency penalty',
    min: -2,
    max: 2,
    default: 0,
    help: 'Subtracted from a token’s logit each time it appears in the reply.',
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
    help: 'Number of replies to generate.',
  },
  {
    ...integer,
    name: 'top_logprobs',
    label: 'Top logprobs',
    min: 0,
    max: 20,
    default: null,
    help: 'Show each token’s probability, and this many of the most likely tokens.',
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
  tools: '',
  tool_choice: '',
}

/** A schema to edit. */
const schemaTemplate = `{
  "type": "object",
  "properties": {
    "answer": { "type": "string" }
  },
  "required": ["answer"]
}`

/** Changes the response format. A schema that was not typed yet starts as a template. */
export function withFormat(settings: Settings, format: string): Settings {
  const isSchema = format === 'json_schema'
  return {
    ...settings,
    format: format === 'text' ? '' : format,
    schema: isSchema && settings.schema.trim() === '' ? schemaTemplate : settings.schema,
  }
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(defaultSettings, name)
}

/** Converts valid settings to request parameters, and returns a message for each invalid one. */
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
  take(parseTools(settings.tools), 'tools', (tools) => (parameters.tools = tools))
  const choice = toolChoices.find((name) => name === settings.tool_choice)
  if (choice !== undefined && parameters.tools !== undefined) parameters.tool_choice = choice
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

/** Parses one sequence per line. `\n`, `\t` and `\\` are escapes for line break, tab and backslash. */
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
    return { fault: `Enter at most ${stopSequencesMax} stop sequences, one per line.` }
  if (sequences.some((sequence) => sequence.length > stopSequenceCharsMax))
    return { fault: `A stop sequence can have at most ${stopSequenceCharsMax} characters.` }
  return { value: sequences }
}

function parseLogitBias(text: string): Parsed<Record<string, number>> {
  if (text.trim() === '') return { value: undefined }
  const parsed = parseJsonObject(text)
  if ('fault' in parsed) return parsed
  const bias: Record<string, number> = {}
  for (const [token, value] of Object.entries(parsed.value)) {
    if (!/^\d+$/.test(token)) return { fault: `“${token}” is not a token ID. Enter a number.` }
    if (typeof value !== 'number' || Math.abs(value) > logitBiasMax)
      return { fault: `The bias of token ${token} must be a number from -100 to 100.` }
    bias[token] = value
  }
  if (Object.keys(bias).length > logitBiasEntriesMax)
    return { fault: `Enter at most ${logitBiasEntriesMax} tokens.` }
  return { value: bias }
}

function parseFormat({
  format,
  schema,
}: Settings): Parsed<NonNullable<Parameters['response_format']>> {
  if (format === 'json_object') return { value: { type: 'json_object' } }
  if (format !== 'json_schema') return { value: undefined }
  if (schema.trim() === '') return { fault: 'Enter a JSON schema.' }
  const parsed = parseJsonObject(schema)
  if ('fault' in parsed) return parsed
  return {
    value: { type: 'json_schema', json_schema: { name: 'reply', schema: parsed.value } },
  }
}
