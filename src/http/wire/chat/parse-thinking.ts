import type { Dialect } from '../../../engine/dialect/dialect.ts'
import type { TemplateVariables } from '../../../engine/engine.ts'
import { ServiceError } from '../../../errors.ts'
import type { ChatCompletionRequest } from '../../../protocol/chat/chat-request.ts'

type Thinking = {
  variables: TemplateVariables | undefined
  thinkingTokensMax: number | undefined
}

/**
 * Returns the request's settings for the model's thoughts, and the variables for the chat template.
 * @throws ServiceError unsupported_parameter for a setting that the template does not read, invalid_value
 */
export function parseThinking(body: ChatCompletionRequest, dialect: Dialect): Thinking {
  const variables: Record<string, string | number | boolean> = {}
  const given = Object.entries(body.chat_template_kwargs ?? {})
  for (const [name, value] of given) {
    const param = `chat_template_kwargs.${name}`
    if (reserved.has(name)) throw invalid(param, 'the service sets it.')
    if (reads(dialect, name)) variables[name] = value
    else if (name !== 'enable_thinking' || !isPlain(dialect, value)) throw unread(param)
  }
  const { enable_thinking: enabled, reasoning_effort: effort } = body
  if (enabled != null) {
    if ((variables['enable_thinking'] ?? enabled) !== enabled)
      throw invalid('enable_thinking', 'it differs from `chat_template_kwargs.enable_thinking`.')
    if (reads(dialect, 'enable_thinking')) variables['enable_thinking'] = enabled
    else if (!isPlain(dialect, enabled)) throw unread('enable_thinking')
  }
  if (effort != null) addEffort(variables, effort, dialect)
  return {
    variables: Object.keys(variables).length > 0 ? variables : undefined,
    thinkingTokensMax: budget(body),
  }
}

/**
 * Adds the reasoning effort. `none` turns thoughts off if the template can; every other value needs a template that
 * reads it.
 */
function addEffort(
  variables: Record<string, string | number | boolean>,
  effort: string,
  dialect: Dialect,
): void {
  if ((variables['reasoning_effort'] ?? effort) !== effort)
    throw invalid('reasoning_effort', 'it differs from `chat_template_kwargs.reasoning_effort`.')
  if (effort === 'none' && variables['enable_thinking'] === true)
    throw invalid('reasoning_effort', 'it turns off what `enable_thinking` turns on.')
  if (reads(dialect, 'reasoning_effort')) variables['reasoning_effort'] = effort
  if (effort === 'none' && reads(dialect, 'enable_thinking')) variables['enable_thinking'] = false
  else if (!reads(dialect, 'reasoning_effort') && !isPlain(dialect, effort !== 'none'))
    throw unread('reasoning_effort')
}

const budgetNames = ['thinking_token_budget', 'thinking_budget', 'thinking_budget_tokens'] as const

function budget(body: ChatCompletionRequest): number | undefined {
  const [first, ...others] = budgetNames.filter((name) => body[name] != null)
  if (first === undefined) return undefined
  const other = others.find((name) => body[name] !== body[first])
  if (other !== undefined)
    throw invalid(other, `it differs from \`${first}\`, which means the same limit.`)
  return body[first] ?? undefined
}

/** Template variables that a request may not set, because the service sets them. */
const reserved: ReadonlySet<string> = new Set([
  'messages',
  'tools',
  'functions',
  'documents',
  'add_generation_prompt',
  'continue_final_message',
  'bos_token',
  'eos_token',
])

function reads({ variables }: Dialect, name: string): boolean {
  return variables.includes(name)
}

/** Returns true if the model has no thoughts and the request wants none. */
function isPlain({ reasoning }: Dialect, wantsThoughts: unknown): boolean {
  return reasoning === undefined && wantsThoughts === false
}

function unread(param: string): ServiceError {
  return new ServiceError(
    'unsupported_parameter',
    `\`${param}\` has no effect: the chat template of this model does not read it. Leave it out.`,
    { param },
  )
}

function invalid(param: string, what: string): ServiceError {
  return new ServiceError('invalid_value', `Invalid value for \`${param}\`: ${what}`, { param })
}
