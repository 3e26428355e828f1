import { ChatCompletionRequest } from './chat-completion.ts'

/**
 * What the field knows and this service does not do. A value that could not have changed the
 * reply passes; any other is refused by name, so that nothing is silently dropped.
 */
const neutralValues: Record<string, (value: unknown) => boolean> = {
  repetition_penalty: (value) => value === 1,
  repeat_penalty: (value) => value === 1,
  response_format: (value) => isTextFormat(value),
  tools: isEmpty,
  tool_choice: (value) => value === 'none' || value === 'auto',
  functions: isEmpty,
  function_call: (value) => value === 'none' || value === 'auto',
  modalities: (value) => Array.isArray(value) && value.every((item) => item === 'text'),
  audio: () => false,
  prediction: () => false,
  web_search_options: () => false,
  reasoning_effort: (value) => value === 'none',
  reasoning: () => false,
  verbosity: (value) => value === 'medium',
  best_of: (value) => value === 1,
  echo: (value) => value === false,
  suffix: () => false,
  grammar: () => false,
  guided_json: () => false,
  guided_regex: () => false,
  guided_choice: () => false,
  guided_grammar: () => false,
  json_schema: () => false,
  ignore_eos: (value) => value === false,
  min_tokens: (value) => value === 0,
  typical_p: (value) => value === 1,
  mirostat: (value) => value === 0,
}

/** The first parameter that is asked for and not supported. */
export function findUnsupported(body: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, isNeutral] of Object.entries(neutralValues)) {
    const value = body[name]
    if (value !== undefined && value !== null && !isNeutral(value)) return name
  }
  return undefined
}

/** Names that nobody here knows: they are ignored, and the reply says so. */
export function findUnknown(body: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(body).filter(
    (name) =>
      !Object.hasOwn(ChatCompletionRequest.properties, name) && !Object.hasOwn(neutralValues, name),
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

/** What cannot change the reply and is kept on the receipt, as it was sent. */
export function keptParameters(body: ChatCompletionRequest): Record<string, unknown> {
  const given = keptNames.filter((name) => body[name] != null)
  return Object.fromEntries(given.map((name) => [name, body[name]]))
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function isTextFormat(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'text'
}
