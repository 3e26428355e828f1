import { chatParameters } from '../../../../src/chat-parameters.ts'
import type { ChatCompletionRequest } from '../../../../src/protocol/chat/chat-request.ts'
import { isObject, parseJson } from '../json-text.ts'

type Tools = NonNullable<ChatCompletionRequest['tools']>

export const toolChoices = ['auto', 'required', 'none'] as const
export const toolsMax = chatParameters.tools.maxItems

/** The tool that the field starts with. */
export const toolsTemplate = `[
  {
    "name": "get_weather",
    "description": "Returns the weather of a city.",
    "parameters": {
      "type": "object",
      "properties": { "city": { "type": "string" } },
      "required": ["city"]
    }
  }
]`

/**
 * Parses the functions that the model can call: a JSON array of objects with name, description and parameters. Also
 * accepts the API's format, with `type` and `function`.
 */
export function parseTools(text: string): { value: Tools | undefined } | { fault: string } {
  if (text.trim() === '') return { value: undefined }
  const parsed = parseJson(text)
  if ('fault' in parsed) return { fault: parsed.fault }
  if (!Array.isArray(parsed.value)) return { fault: 'Enter a JSON array of tools: [ … ].' }
  if (parsed.value.length > toolsMax) return { fault: `Enter at most ${toolsMax} tools.` }
  const tools: Tools = []
  for (const [index, entry] of parsed.value.entries()) {
    const wanted: unknown =
      isObject(entry) && isObject(entry['function']) ? entry['function'] : entry
    const name = isObject(wanted) ? wanted['name'] : undefined
    if (!isObject(wanted) || typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
      return { fault: `Tool ${index + 1} needs a name of letters, digits, _ and -.` }
    const { description, parameters } = wanted
    tools.push({
      type: 'function',
      function: {
        name,
        ...(typeof description === 'string' && { description }),
        ...(isObject(parameters) && { parameters }),
      },
    })
  }
  return { value: tools.length === 0 ? undefined : tools }
}
