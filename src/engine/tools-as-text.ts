import type { ChatMessage } from './engine.ts'
import { callBegin, callText, type Tool, toolObject } from './tools.ts'

/**
 * Prepares messages for a model whose chat template does not support tools: describes the tools in the
 * system message, and writes calls and their results as text.
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
