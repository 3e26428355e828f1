import {
  type ChatParameter,
  type ChatParameterName,
  chatParameters,
} from '../../chat-parameters.ts'
import { StartError } from '../../errors.ts'

const textParameters = ['reasoning_effort', 'stop'] satisfies ChatParameterName[]

/** `pipit chat` shows one reply, without probabilities. */
const withoutUse = new Set(['n', 'top_logprobs'])

/** Parameters that `--set` and `/set` can change. The service checks the bounds. */
export const parameterNames = [
  ...Object.entries<ChatParameter>(chatParameters)
    .filter(([name, { field }]) => field !== undefined && !withoutUse.has(name))
    .map(([name]) => name),
  ...textParameters,
]

/**
 * Reads `temperature=0.2` or `temperature 0.2`; the value `default` removes the parameter.
 * @throws StartError
 */
export function parseParameter(text: string): { name: string; value: number | string | undefined } {
  const [, name = '', given = ''] = /^\s*([a-z_]+)[\s=]+(.*?)\s*$/s.exec(text) ?? []
  if (!parameterNames.includes(name))
    throw new StartError(
      `Set one of ${parameterNames.join(', ')}, such as ${text.includes('=') ? 'temperature=0.2' : 'temperature 0.2'}.`,
    )
  if (given === 'default') return { name, value: undefined }
  const isText = (textParameters as readonly string[]).includes(name)
  const value = isText ? given : Number(given)
  if (given === '' || (!isText && !Number.isFinite(value)))
    throw new StartError(`Enter a ${isText ? 'text' : 'number'} for ${name}, or "default".`)
  return { name, value }
}
