import type { GenerationOptions } from '../../engine.ts'
import { ServiceError } from '../../../errors.ts'
import type { UpstreamFlavour } from '../upstream-settings.ts'

/** Parameters that only some flavours support, as requests name them. */
const parameters = [
  'top_k',
  'min_p',
  'stop_token_ids',
  'logit_bias',
  'logprobs',
  'parallel_tool_calls',
  'tool_choice',
  'structured_outputs.choice',
  'chat_template_kwargs',
  'enable_thinking',
  'reasoning_effort',
  'thinking_token_budget',
  'complete_json',
] as const
type Parameter = (typeof parameters)[number]

/** Parameters that each flavour supports. docs/upstream.md describes their mapping. */
const supported: Readonly<Record<UpstreamFlavour, readonly Parameter[]>> = {
  vllm: parameters.filter((name) => name !== 'complete_json'),
  sglang: parameters.filter((name) => !['complete_json', 'thinking_token_budget'].includes(name)),
  'llama-server': parameters.filter((name) => !['complete_json', 'stop_token_ids'].includes(name)),
  ollama: ['enable_thinking', 'reasoning_effort'],
  openai: ['logit_bias', 'logprobs', 'parallel_tool_calls', 'tool_choice', 'reasoning_effort'],
}

/** Known template variables that a request may set outside `chat_template_kwargs`. */
const templateVariables = [
  'enable_thinking',
  'reasoning_effort',
  'thinking',
  'preserve_thinking',
  'clear_thinking',
  'thinking_budget',
  'date_string',
]

/** Returns the template variables that a request may set. The upstream's chat template may ignore some. */
export function variablesOf(flavour: UpstreamFlavour): readonly string[] {
  return supported[flavour].includes('chat_template_kwargs')
    ? templateVariables
    : ['enable_thinking', 'reasoning_effort']
}

/**
 * Refuses parameters that this flavour does not support, because engines silently ignore most unknown names.
 * @throws ServiceError unsupported_parameter
 */
export function requireParameters(flavour: UpstreamFlavour, generation: GenerationOptions): void {
  // These flavours send one of the two variables only.
  if (!supported[flavour].includes('chat_template_kwargs') && contradictsEffort(generation))
    throw unsupported(
      'enable_thinking',
      `the engine behind this service (${flavour}) has only \`reasoning_effort\`, which contradicts it`,
    )
  const missing = wanted(generation).find((name) => !supported[flavour].includes(name))
  if (missing !== undefined)
    throw unsupported(missing, `the engine behind this service (${flavour}) does not have it`)
  const { format, topLogprobs } = generation
  if (format?.type !== 'tools') return
  if (format.final !== undefined && flavour !== 'openai')
    throw unsupported(
      'response_format',
      `the engine behind this service (${flavour}) does not have it beside \`tools\``,
    )
  if (topLogprobs !== undefined && flavour === 'llama-server')
    throw unsupported(
      'logprobs',
      `the engine behind this service (${flavour}) does not have it beside \`tools\``,
    )
}

/** Lists the parameters that the request sets to a value other than the default. */
function wanted(generation: GenerationOptions): Parameter[] {
  const { sampling, stopTokens = [], format, variables = {} } = generation
  const others = Object.keys(variables).filter((name) => !shortNames.includes(name))
  const isSet: Readonly<Record<Parameter, boolean>> = {
    top_k: sampling.topK > 0,
    min_p: sampling.minP > 0,
    stop_token_ids: stopTokens.length > 0,
    logit_bias: (sampling.logitBias ?? []).length > 0,
    logprobs: generation.topLogprobs !== undefined,
    parallel_tool_calls: format?.type === 'tools' && !format.areParallel,
    tool_choice: format?.type === 'tools' && format.choice !== 'auto',
    'structured_outputs.choice': format?.type === 'choice',
    chat_template_kwargs: others.length > 0,
    enable_thinking: 'enable_thinking' in variables && variables['reasoning_effort'] === undefined,
    reasoning_effort: 'reasoning_effort' in variables,
    thinking_token_budget: (generation.thinkingTokensMax ?? -1) >= 0,
    complete_json: generation.completesFormat === true,
  }
  return parameters.filter((name) => isSet[name])
}

/** Returns false if the effort says the same: `none` turns thoughts off, and every other value turns them on. */
function contradictsEffort({ variables = {} }: GenerationOptions): boolean {
  const { enable_thinking: thinks, reasoning_effort: effort } = variables
  return thinks !== undefined && effort !== undefined && thinks !== (effort !== 'none')
}

/** Template variables that also have a request parameter of their own. */
const shortNames = ['enable_thinking', 'reasoning_effort']

function unsupported(param: string, why: string): ServiceError {
  return new ServiceError(
    'unsupported_parameter',
    `\`${param}\` is not supported: ${why}. Leave it out.`,
    { param },
  )
}
