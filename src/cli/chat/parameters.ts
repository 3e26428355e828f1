import { StartError } from '../../errors.ts'

/** Parameters that `--set` and `/set` can change, with the kind of their values. The service checks the bounds. */
const kinds: Readonly<Record<string, 'number' | 'text'>> = {
  temperature: 'number',
  top_p: 'number',
  top_k: 'number',
  min_p: 'number',
  max_tokens: 'number',
  seed: 'number',
  presence_penalty: 'number',
  frequency_penalty: 'number',
  reasoning_effort: 'text',
  stop: 'text',
}

export const parameterNames = Object.keys(kinds)

/**
 * Reads `temperature=0.2` or `temperature 0.2`; the value `default` removes the parameter.
 * @throws StartError
 */
export function parseParameter(text: string): { name: string; value: number | string | undefined } {
  const [, name = '', given = ''] = /^\s*([a-z_]+)[\s=]+(.*?)\s*$/s.exec(text) ?? []
  const kind = kinds[name]
  if (kind === undefined)
    throw new StartError(
      `Set one of ${parameterNames.join(', ')}, such as ${text.includes('=') ? 'temperature=0.2' : 'temperature 0.2'}.`,
    )
  if (given === 'default') return { name, value: undefined }
  if (kind === 'text' && given !== '') return { name, value: given }
  const value = Number(given)
  if (given === '' || !Number.isFinite(value))
    throw new StartError(
      kind === 'number'
        ? `Enter a number for ${name}, or "default".`
        : `Enter a text for ${name}, or "default".`,
    )
  return { name, value }
}
