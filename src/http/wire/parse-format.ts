import type { ReplyFormat } from '../../engine/reply-format.ts'
import type { Tool } from '../../engine/tools.ts'
import { ServiceError } from '../../errors.ts'
import { schemaBytesMax } from '../../limits.ts'
import type { ChatCompletionRequest } from '../../protocol/chat/chat-request.ts'

/**
 * Returns the format that the reply must have, or undefined for any text. The engine compiles the schemas
 * later; this only checks their length.
 * @throws ServiceError unsupported_value, invalid_value, missing_required_parameter
 */
export function parseFormat(body: ChatCompletionRequest): ReplyFormat | undefined {
  const tools = parseTools(body)
  const format = parseResponseFormat(body)
  if (tools !== undefined && format !== undefined)
    throw new ServiceError(
      'unsupported_value',
      '`response_format` must be `text` if tools may be called.',
      { param: 'response_format' },
    )
  return tools ?? format
}

function parseResponseFormat({
  response_format: format,
}: ChatCompletionRequest): ReplyFormat | undefined {
  if (format == null) return undefined
  if (format.json_schema !== undefined && format.type !== 'json_schema')
    throw invalid('response_format.json_schema', 'it needs the type `json_schema`.')
  if (format.schema !== undefined && format.type !== 'json_object')
    throw invalid('response_format.schema', 'it needs the type `json_object`.')
  switch (format.type) {
    case 'text':
      return undefined
    case 'json_object':
      if (format.schema === undefined) return { type: 'json_object' }
      return schemaFormat(format.schema, 'response_format.schema')
    case 'json_schema': {
      const param = 'response_format.json_schema'
      if (format.json_schema === undefined)
        throw new ServiceError(
          'missing_required_parameter',
          `Missing required parameter: \`${param}\`.`,
          { param },
        )
      return schemaFormat(format.json_schema.schema, `${param}.schema`)
    }
  }
}

function schemaFormat(given: object | boolean, at: string): ReplyFormat {
  const schema = JSON.stringify(given)
  requireShort([schema], at)
  return { type: 'json_schema', schema, at }
}

function parseTools(body: ChatCompletionRequest): ReplyFormat | undefined {
  const { tools: listed, tool_choice: choice, parallel_tool_calls: areParallel } = body
  const tools = (listed ?? []).map((tool): Tool => {
    const { name, description, parameters } = tool.function
    return {
      name,
      description: description ?? undefined,
      parameters: parameters == null ? undefined : JSON.stringify(parameters),
    }
  })
  const names = new Set<string>()
  for (const [index, { name }] of tools.entries()) {
    if (names.has(name))
      throw invalid(`tools[${index}].function.name`, 'another tool has this name.')
    names.add(name)
  }
  requireShort(
    tools.flatMap(({ parameters }) => parameters ?? []),
    'tools',
  )
  const called = parseToolChoice(choice)
  if (typeof called === 'object' && !names.has(called.name))
    throw invalid('tool_choice', 'no tool has this name.')
  if (called === 'required' && tools.length === 0) throw invalid('tool_choice', 'it needs `tools`.')
  if (called === 'none' || tools.length === 0) return undefined
  return { type: 'tools', tools, choice: called, areParallel: areParallel ?? true }
}

function parseToolChoice(
  choice: ChatCompletionRequest['tool_choice'],
): 'none' | 'auto' | 'required' | { name: string } {
  if (choice == null) return 'auto'
  if (typeof choice === 'object') return { name: choice.function.name }
  if (choice === 'none' || choice === 'auto' || choice === 'required') return choice
  throw invalid('tool_choice', 'it must be `none`, `auto`, `required`, or name a function.')
}

function requireShort(schemas: readonly string[], param: string): void {
  const bytes = schemas.reduce((sum, schema) => sum + Buffer.byteLength(schema), 0)
  if (bytes > schemaBytesMax)
    throw new ServiceError(
      'unsupported_value',
      `The JSON Schema is larger than the maximum of ${schemaBytesMax / 1024} KiB. Make it smaller.`,
      { param },
    )
}

function invalid(param: string, what: string): ServiceError {
  return new ServiceError('invalid_value', `Invalid value for \`${param}\`: ${what}`, { param })
}
