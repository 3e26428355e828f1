import type { ChatMessage } from './engine.ts'

/** A function that the model may call. */
export type Tool = {
  readonly name: string
  readonly description: string | undefined
  /** JSON Schema of the arguments, as JSON text; undefined: there are none. */
  readonly parameters: string | undefined
}

/** `arguments` is JSON text. */
export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string }

/** How a call stands in a reply: between these, the arguments where the dots are. */
export const callBegin = '<tool_call>'
export const nameBegin = '\n{"name": "'
export const argumentsBegin = '", "arguments": '
export const callEnd = '}\n</tool_call>'

export function callText(call: Pick<ToolCall, 'name' | 'arguments'>): string {
  return `${callBegin}${nameBegin}${call.name}${argumentsBegin}${call.arguments}${callEnd}`
}

/** As chat templates know it. */
export function toolObject({ name, description, parameters }: Tool): object {
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: parameters === undefined ? noParameters : JSON.parse(parameters),
    },
  }
}

export const noParameters = { type: 'object', properties: {}, additionalProperties: false }

/**
 * For a model whose chat template knows no tools: they are described in the system message, and
 * calls and their results stand in the text.
 */
export function toolsAsText(
  messages: readonly ChatMessage[],
  tools: readonly Tool[],
): readonly ChatMessage[] {
  const plain = messages.map(({ role, content, toolCalls = [] }): ChatMessage => {
    if (role === 'tool')
      return { role: 'user', content: `<tool_response>\n${content}\n</tool_response>` }
    const parts = [...(content === '' ? [] : [content]), ...toolCalls.map(callText)]
    return { role, content: toolCalls.length === 0 ? content : parts.join('\n') }
  })
  if (tools.length === 0) return plain
  const [first, ...rest] = plain
  return first?.role === 'system'
    ? [{ role: 'system', content: `${first.content}\n\n${describeTools(tools)}` }, ...rest]
    : [{ role: 'system', content: describeTools(tools) }, ...plain]
}

function describeTools(tools: readonly Tool[]): string {
  return `You can call these tools. Each line describes one of them:
<tools>
${tools.map((tool) => JSON.stringify(toolObject(tool))).join('\n')}
</tools>
To call a tool, write its name and arguments in this form:
${callBegin}
{"name": "the name", "arguments": {}}
</tool_call>`
}
