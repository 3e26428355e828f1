import type { ChatMessage } from '../../../engine/engine.ts'
import type { ToolCall } from '../../../engine/tools.ts'
import { ServiceError } from '../../../errors.ts'
import { jsonDepthMax, jsonMembersMax, jsonPartsMax } from '../../../limits.ts'
import type { Message, MessageToolCall } from '../../../protocol/chat/message.ts'
import { JsonCounts, parseCounted } from '../../request/body/json-body.ts'

/**
 * Returns the messages for the engine. Checks the rules that depend on a message's role or on earlier messages.
 * @throws ServiceError missing_required_parameter, invalid_type, invalid_value
 */
export function parseMessages(messages: readonly Message[]): ChatMessage[] {
  const called = new Set<string>()
  const counts = new JsonCounts()
  return messages.map((message, index) => {
    const path = `messages[${index}]`
    const toolCalls = parseToolCalls(message, path, counts)
    for (const { id } of toolCalls) called.add(id)
    const content = parseContent(message, path, toolCalls.length > 0)
    const reasoning = parseReasoning(message, path)
    const toolCallId = parseToolCallId(message, path, called)
    return {
      role: message.role === 'developer' ? 'system' : message.role,
      content,
      ...(reasoning !== undefined && { reasoning }),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(toolCallId !== undefined && { toolCallId }),
    }
  })
}

function parseContent({ content }: Message, path: string, hasCalled: boolean): string {
  const param = `${path}.content`
  if (content == null) {
    if (hasCalled) return ''
    throw content === undefined
      ? missing(param)
      : new ServiceError(
          'invalid_type',
          `Invalid type for \`${param}\`: expected a string or an array, got null.`,
          { param },
        )
  }
  return typeof content === 'string' ? content : content.map((part) => part.text).join('')
}

/** Reads the thoughts of an assistant message. An empty text counts as none. */
function parseReasoning(
  { role, reasoning_content: thought, reasoning: alias }: Message,
  path: string,
): string | undefined {
  const given = thought || alias || undefined
  if (given === undefined) return undefined
  const param = `${path}.${thought ? 'reasoning_content' : 'reasoning'}`
  if (role !== 'assistant') throw invalid(param, 'only an assistant message has thoughts.')
  if (thought && alias && thought !== alias)
    throw invalid(`${path}.reasoning`, 'it differs from `reasoning_content`, which means the same.')
  return given
}

function parseToolCalls(
  { role, tool_calls: calls }: Message,
  path: string,
  counts: JsonCounts,
): ToolCall[] {
  if (calls == null || calls.length === 0) return []
  const param = `${path}.tool_calls`
  if (role !== 'assistant') throw invalid(param, 'only an assistant message has tool calls.')
  const ids = new Set(calls.map(({ id }) => id))
  if (ids.size < calls.length) throw invalid(param, 'the ids of the calls must be unique.')
  return calls.map((call, index) => parseToolCall(call, `${param}[${index}]`, counts))
}

/** @param counts of the arguments of earlier calls */
function parseToolCall(
  { id, function: { name, arguments: text } }: MessageToolCall,
  path: string,
  counts: JsonCounts,
) {
  // Some engines write empty arguments for a tool without parameters, and callers send their replies back.
  if (text.trim() === '') return { id, name, arguments: '{}' }
  const param = `${path}.function.arguments`
  let value: unknown
  try {
    // Chat templates read the arguments as values, so those of all calls together have the limits of a body.
    value = parseCounted(text, counts)
  } catch {
    // Refused below, like JSON that is not an object.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(
      param,
      `it must be a JSON object as text, nested at most ${jsonDepthMax} levels deep. The arguments of all calls together may have ${jsonMembersMax} members, and ${jsonPartsMax} names and values.`,
    )
  return { id, name, arguments: text }
}

function parseToolCallId(
  { role, tool_call_id: id }: Message,
  path: string,
  called: ReadonlySet<string>,
): string | undefined {
  const param = `${path}.tool_call_id`
  if (role !== 'tool') {
    if (id == null) return undefined
    throw invalid(param, 'only a tool message has it.')
  }
  if (id == null) throw missing(param)
  if (!called.has(id)) throw invalid(param, 'no earlier message has a tool call with this id.')
  return id
}

function missing(param: string): ServiceError {
  return new ServiceError(
    'missing_required_parameter',
    `Missing required parameter: \`${param}\`.`,
    { param },
  )
}

function invalid(param: string, what: string): ServiceError {
  return new ServiceError('invalid_value', `Invalid value for \`${param}\`: ${what}`, { param })
}
