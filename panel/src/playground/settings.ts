import {
  type ChatParameter,
  chatParameters,
  type NumberWithField,
} from '../../../src/chat-parameters.ts'
import type { ChatCompletionRequest } from '../../../src/protocol/chat/chat-request.ts'
import { parseJsonObject } from './json-text.ts'
import { parseTools, toolChoices } from './tools/tool-definitions.ts'

/** The form's values as typed. Empty means the service's default. */
export type Settings = Readonly<Record<SettingName, string>>
export type SettingName =
  | NumberSettingName
  | 'stop'
  | 'logit_bias'
  | 'format'
  | 'schema'
  | 'tools'
  | 'tool_choice'
export type Parameters = Omit<ChatCompletionRequest, 'model' | 'messages'>
/** Messages for invalid settings, by field. */
type SettingFaults = Partial<Record<SettingName, string>>

type Rows = typeof chatParameters
type NumberSettingName = {
  [Name in keyof Rows]: Rows[Name] extends { field: object } ? Name : never
}[keyof Rows]
export type NumberSetting = NumberWithField & { readonly name: NumberSettingName }

/** The number parameters that have a form field. */
const allNumberSettings = Object.entries<ChatParameter>(chatParameters).flatMap(
  ([name, row]): NumberSetting[] =>
    // The cast is safe: a row has a `field` only if its name is a `NumberSettingName`.
    row.field === undefined ? [] : [{ ...row, name: name as NumberSettingName }],
)

/**
 * Returns the number parameters that have a form field, with the service's bounds.
 * @param completionTokensMax the service's maximum of Max tokens, if it is known. PIPIT_MAX_TOKENS raises it, and the
 * default with it.
 */
export function numberSettings(completionTokensMax: number | undefined): readonly NumberSetting[] {
  const { maximum } = chatParameters.max_tokens
  if (completionTokensMax === undefined || completionTokensMax <= maximum) return allNumberSettings
  return allNumberSettings.map((setting) =>
    setting.name === 'max_tokens'
      ? { ...setting, maximum: completionTokensMax, default: completionTokensMax }
      : setting,
  )
}

export const formats = ['text', 'json_object', 'json_schema'] as const

type EmptyNumbers = Record<NumberSettingName, ''>

export const defaultSettings: Settings = {
  ...(Object.fromEntries(allNumberSettings.map(({ name }) => [name, ''])) as EmptyNumbers),
  stop: '',
  logit_bias: '',
  format: '',
  schema: '',
  tools: '',
  tool_choice: '',
}

/** The schema that the field starts with. */
const schemaTemplate = `{
  "type": "object",
  "properties": {
    "answer": { "type": "string" }
  },
  "required": ["answer"]
}`

/** Changes the response format. Fills an empty schema with the template. */
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
export function parseSettings(
  settings: Settings,
  numbers: readonly NumberSetting[],
): { parameters: Parameters; faults: SettingFaults } {
  const parameters: Parameters = {}
  const faults: SettingFaults = {}
  for (const setting of numbers) {
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

/** Returns the messages for invalid settings, each with the name of its field. */
export function namedFaults(settings: Settings, numbers: readonly NumberSetting[]): string[] {
  const { faults } = parseSettings(settings, numbers)
  return Object.entries(faults).map(([name, fault]) => {
    const label = jsonLabels.get(name)
    return label === undefined ? fault : `${label}: ${fault}`
  })
}

/** The labels of the fields with JSON, whose faults do not name them. */
const jsonLabels: ReadonlyMap<string, string> = new Map([
  ['logit_bias', 'Logit bias'],
  ['schema', 'JSON schema'],
  ['tools', 'Functions'],
])

type Parsed<T> = { value: T | undefined } | { fault: string }

function parseNumber(
  { type, field, minimum: min, maximum: max }: NumberSetting,
  text: string,
): number | string | undefined {
  if (text.trim() === '') return undefined
  const isInteger = type === 'integer'
  const form = isInteger ? /^[+-]?\d+$/ : /^[+-]?(\d+[.,]?\d*|[.,]\d+)$/
  const value = Number(text.trim().replace(',', '.'))
  if (form.test(text.trim()) && value >= min && value <= max) return value
  const range = max > 1e6 ? '' : ` from ${min} to ${max}`
  return `${field.label} must be ${isInteger ? 'a whole number' : 'a number'}${range}.`
}

/** Parses one sequence per line. `\n`, `\t` and `\\` are escapes for line break, tab and backslash. */
function parseStop(text: string): Parsed<string[]> {
  const { items, maxItems } = chatParameters.stop
  const sequences = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) =>
      line.replace(/\\([nt\\])/g, (_, letter: string) =>
        letter === 'n' ? '\n' : letter === 't' ? '\t' : '\\',
      ),
    )
  if (sequences.length === 0) return { value: undefined }
  if (sequences.length > maxItems)
    return { fault: `Enter at most ${maxItems} stop sequences, one per line.` }
  if (sequences.some((sequence) => sequence.length > items.maxLength))
    return { fault: `A stop sequence can have at most ${items.maxLength} characters.` }
  return { value: sequences }
}

function parseLogitBias(text: string): Parsed<Record<string, number>> {
  if (text.trim() === '') return { value: undefined }
  const parsed = parseJsonObject(text)
  if ('fault' in parsed) return parsed
  const { additionalProperties: values, maxProperties } = chatParameters.logit_bias
  const { minimum, maximum } = values
  const bias: Record<string, number> = {}
  for (const [token, value] of Object.entries(parsed.value)) {
    if (!/^\d+$/.test(token)) return { fault: `“${token}” is not a token ID. Enter a number.` }
    if (typeof value !== 'number' || value < minimum || value > maximum)
      return {
        fault: `The bias of token ${token} must be a number from ${minimum} to ${maximum}.`,
      }
    bias[token] = value
  }
  if (Object.keys(bias).length > maxProperties)
    return { fault: `Enter at most ${maxProperties} tokens.` }
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
