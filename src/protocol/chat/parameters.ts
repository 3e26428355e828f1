import { ChatCompletionRequest } from './chat-request.ts'

type Refused = {
  /** The values that cannot change the reply, for people. Empty: only null. */
  neutral: string
  isNeutral: (value: unknown) => boolean
}

const always: Refused = { neutral: '', isNeutral: () => false }
const unlessEmpty: Refused = { neutral: 'empty', isNeutral: isEmpty }
const unless = (...values: (string | number | boolean)[]): Refused => ({
  neutral: values.map((value) => `\`${JSON.stringify(value)}\``).join(', '),
  isNeutral: (value) => values.some((neutral) => neutral === value),
})

/**
 * Parameters of other services that this one does not support. A value that cannot change the reply
 * passes; any other is refused by name, so that the service never drops a parameter silently.
 */
export const refusedParameters: Readonly<Record<string, Refused>> = {
  repetition_penalty: unless(1),
  repeat_penalty: unless(1),
  functions: unlessEmpty,
  function_call: unless('none', 'auto'),
  modalities: {
    neutral: '`["text"]`',
    isNeutral: (value) => Array.isArray(value) && value.every((item) => item === 'text'),
  },
  audio: always,
  prediction: always,
  web_search_options: always,
  reasoning_effort: unless('none'),
  reasoning: always,
  verbosity: unless('medium'),
  best_of: unless(1),
  echo: unless(false),
  suffix: always,
  grammar: always,
  guided_json: always,
  guided_regex: always,
  guided_choice: always,
  guided_grammar: always,
  json_schema: always,
  ignore_eos: unless(false),
  min_tokens: unless(0),
  typical_p: unless(1),
  mirostat: unless(0),
}

/** Returns the name of the first unsupported parameter in the body. */
export function findUnsupported(body: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, { isNeutral }] of Object.entries(refusedParameters)) {
    const value = body[name]
    if (value !== undefined && value !== null && !isNeutral(value)) return name
  }
  return undefined
}

/** Returns the unknown names in the body. They are ignored, and the reply lists them. */
export function findUnknown(body: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(body).filter(
    (name) =>
      !Object.hasOwn(ChatCompletionRequest.properties, name) &&
      !Object.hasOwn(refusedParameters, name),
  )
}

const keptNames = [
  'user',
  'metadata',
  'store',
  'service_tier',
  'safety_identifier',
  'prompt_cache_key',
] as const satisfies (keyof ChatCompletionRequest)[]

/** Parameters that are accepted because they cannot change the reply. */
export const neutralParameters: readonly string[] = keptNames

/** Returns the accepted parameters without effect, which the receipt keeps as they were sent. */
export function keptParameters(body: ChatCompletionRequest): Record<string, unknown> {
  const given = keptNames.filter((name) => body[name] != null)
  return Object.fromEntries(given.map((name) => [name, body[name]]))
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
