import { parseInOrder } from '../json-order.ts'

/** A function that the model may call. */
export type Tool = {
  readonly name: string
  readonly description: string | undefined
  /** JSON Schema of the arguments, as JSON text. Undefined if the function takes none. */
  readonly parameters: string | undefined
}

/** `arguments` is JSON text. */
export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string }

type CallOrResult = {
  readonly role: string
  readonly toolCalls?: readonly ToolCall[]
  readonly toolCallId?: string
}

/**
 * Puts the results after each message in the order of its calls, because many chat templates write no ids. Results of
 * other calls come last.
 */
export function inOrderOfCalls<Message extends CallOrResult>(
  messages: readonly Message[],
): readonly Message[] {
  let turn = 0
  let places = new Map<string, number>()
  const placed = messages.map((message) => {
    const { role, toolCalls = [], toolCallId = '' } = message
    if (role === 'tool') return { message, turn, place: places.get(toolCallId) ?? places.size }
    turn += 1
    places = new Map(toolCalls.map(({ id }, place) => [id, place]))
    return { message, turn, place: -1 }
  })
  return placed
    .toSorted((a, b) => a.turn - b.turn || a.place - b.place)
    .map(({ message }) => message)
}

/** Returns a call in the generic tool form. */
export function callText(call: Pick<ToolCall, 'name' | 'arguments'>): string {
  return `<tool_call>\n{"name": "${call.name}", "arguments": ${call.arguments}}\n</tool_call>`
}

/**
 * Returns the tool in the form that chat templates expect.
 * @param parse parses JSON
 */
export function toolObject(
  { name, description, parameters }: Tool,
  parse: (text: string) => unknown = parseInOrder,
): object {
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: parameters === undefined ? noParameters : parse(parameters),
    },
  }
}

export const noParameters = { type: 'object', properties: {}, additionalProperties: false }
