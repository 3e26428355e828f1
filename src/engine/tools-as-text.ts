import { entriesInOrder, parseInOrder, stringifyInOrder } from '../json-order.ts'
import type { ChatMessage } from './engine.ts'
import { detectToolForm, toolFormOf } from './tool-forms/detect-tool-form.ts'
import { pythonArguments } from './tool-forms/python-arguments.ts'
import { alternativesOf, type ToolForm } from './tool-forms/tool-form.ts'
import { callText, type Tool, toolObject } from './tools.ts'

/**
 * Prepares messages for a model whose chat template does not support tools: describes the tools in the
 * system message, and writes calls and their results as text.
 */
export function toolsAsText(
  messages: readonly ChatMessage[],
  tools: readonly Tool[],
): readonly ChatMessage[] {
  const plain = messages.map((message): ChatMessage => {
    const { role, content, reasoning, toolCalls = [] } = message

    if (role === 'tool')
      return { role: 'user', content: `<tool_response>\n${content}\n</tool_response>` }
    const parts = [...(content === '' ? [] : [content]), ...toolCalls.map(callText)]
    const text = toolCalls.length === 0 ? content : parts.join('\n')
    return { role, content: text, ...(reasoning !== undefined && { reasoning }) }
  })
  if (tools.length === 0) return plain
  const [first, ...rest] = plain
  return first?.role === 'system'
    ? [{ role: 'system', content: `${first.content}\n\n${describeTools(tools)}` }, ...rest]
    : [{ role: 'system', content: describeTools(tools) }, ...plain]
}

/**
 * Writes calls as text if the chat template describes tools but writes no calls, as those of Granite 3 and LFM2 do.
 * `mark` returns what to write for a text of the form.
 */
export function withCalls(
  messages: readonly ChatMessage[],
  templateSource: string,
  mark: (text: string) => string = (text) => text,
): readonly ChatMessage[] {
  if (templateSource.includes('tool_calls')) return messages
  const form = toolFormOf(detectToolForm(templateSource))
  return messages.map((message) => {
    const { toolCalls = [], ...rest } = message
    if (toolCalls.length === 0) return message
    const [argumentsBegin = ''] = alternativesOf(form.arguments)
    const calls = toolCalls.map(
      ({ name, arguments: text }) =>
        mark(form.name) +
        name +
        mark(argumentsBegin) +
        argumentsText(form, text) +
        mark(form.callEnd),
    )
    const [begin = ''] = alternativesOf(form.begin)
    const [between = ''] = alternativesOf(form.between)
    const written = mark(begin + (form.open ?? '')) + calls.join(mark(between)) + mark(form.end)
    return { ...rest, content: message.content + written }
  })
}

function argumentsText({ type }: ToolForm, text: string): string {
  if (type !== 'python') return text
  const members: unknown = parseInOrder(text)
  return typeof members === 'object' && members !== null
    ? pythonArguments(entriesInOrder(members))
    : ''
}

function describeTools(tools: readonly Tool[]): string {
  return `You can call these tools. Each line describes one of them:
<tools>
${tools.map((tool) => stringifyInOrder(toolObject(tool))).join('\n')}
</tools>
To call a tool, write its name and arguments in this form:
<tool_call>
{"name": "the name", "arguments": {}}
</tool_call>`
}
