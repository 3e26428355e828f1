/** A function that the model may call. */
export type Tool = {
  readonly name: string
  readonly description: string | undefined
  /** JSON Schema of the arguments, as JSON text. Undefined if the function takes none. */
  readonly parameters: string | undefined
}

/** `arguments` is JSON text. */
export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string }

/** Returns a call in the generic tool form. */
export function callText(call: Pick<ToolCall, 'name' | 'arguments'>): string {
  return `<tool_call>\n{"name": "${call.name}", "arguments": ${call.arguments}}\n</tool_call>`
}

/** Returns the tool in the form that chat templates expect. */
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
