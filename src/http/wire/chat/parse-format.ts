import { chatParameters } from '../../../chat-parameters.ts'
import type { FinalFormat, ReplyFormat } from '../../../engine/reply-format.ts'
import type { Tool } from '../../../engine/tools.ts'
import { ServiceError } from '../../../errors.ts'
import { stringifyInOrder } from '../../../json-order.ts'
import { jsonDepthMax, schemaBytesMax } from '../../../limits.ts'
import type { ChatCompletionRequest } from '../../../protocol/chat/chat-request.ts'
import { parsePlain } from '../../request/body/json-body.ts'

/** Returns the index of the first text that would be read as a call of one of the tools; -1 if there is none. */
export type FindCall = (tools: readonly Tool[], texts: readonly string[]) => number

/**
 * Returns the format that the reply must have, or undefined if any text is allowed. Only checks the length of schemas;
 * the engine compiles them later.
 * @throws ServiceError unsupported_value, invalid_value, missing_required_parameter
 */
export function parseFormat(
  body: ChatCompletionRequest,
  findCall: FindCall,
): ReplyFormat | undefined {
  const final = onlyOne(parseResponseFormat(body), parseOtherFormats(body))
  const calling = parseTools(body, final)
  if (calling?.final?.type === 'choice') {
    const name = (body.guided_choice ?? []).length > 0 ? 'guided_choice' : otherChoice
    requireNoCall(name, findCall(calling.tools, calling.final.texts))
  }
  return calling ?? final
}

function parseResponseFormat({
  response_format: format,
}: ChatCompletionRequest): FinalFormat | undefined {
  if (format == null) return undefined
  if (format.json_schema != null && format.type !== 'json_schema')
    throw invalid('response_format.json_schema', 'it needs the type `json_schema`.')
  if (format.schema != null && format.type === 'text')
    throw invalid('response_format.schema', 'it needs the type `json_schema`.')
  if (format.schema != null && format.json_schema != null)
    throw invalid('response_format.schema', 'there is a `json_schema` beside it. Send only one.')
  if (format.schema != null) return schemaFormat(format.schema, 'response_format.schema')
  switch (format.type) {
    case 'text':
      return undefined
    case 'json_object':
      return { type: 'json_object' }
    case 'json_schema': {
      const param = 'response_format.json_schema'
      if (format.json_schema == null)
        throw new ServiceError(
          'missing_required_parameter',
          `Missing required parameter: \`${param}\`.`,
          { param },
        )
      return schemaFormat(format.json_schema.schema, `${param}.schema`)
    }
  }
}

const otherChoice = 'structured_outputs.choice'

type NamedFormat = { readonly name: string; readonly format: FinalFormat | undefined }

/** Reads the parameters that other services use instead of `response_format`. */
function parseOtherFormats(body: ChatCompletionRequest): NamedFormat[] {
  const {
    structured_outputs: outputs,
    guided_json: json,
    json_schema: schema,
    guided_choice: choice,
  } = body
  if (outputs == null && json == null && schema == null && choice == null) return []
  return [
    ofSchema('guided_json', json),
    ofSchema('json_schema', schema),
    ofChoice('guided_choice', choice),
    ofSchema('structured_outputs.json', outputs?.json),
    ofChoice(otherChoice, outputs?.choice),
    {
      name: 'structured_outputs.json_object',
      format: outputs?.json_object === true ? { type: 'json_object' } : undefined,
    },
  ]
}

function ofSchema(name: string, given: object | boolean | string | null | undefined): NamedFormat {
  if (given == null || given === '') return { name, format: undefined }
  return {
    name,
    format: schemaFormat(typeof given === 'string' ? parsed(name, given) : given, name),
  }
}

function parsed(name: string, text: string): object | boolean {
  requireShort([text], name)
  try {
    const value = parsePlain(text)
    if (typeof value === 'boolean' || (typeof value === 'object' && value !== null)) return value
  } catch {
    // Refused below, like JSON that is not a schema.
  }
  const what = `it must be a JSON Schema, or the text of one, nested at most ${jsonDepthMax} levels deep.`
  throw invalid(name, what)
}

function ofChoice(name: string, texts: readonly string[] | null | undefined): NamedFormat {
  if (texts == null || texts.length === 0) return { name, format: undefined }
  requireShort(texts, name)
  if (!texts.every((text) => text.isWellFormed()))
    throw invalid(name, 'a reply is UTF-8, so no choice can contain half of a surrogate pair.')
  return { name, format: { type: 'choice', texts } }
}

function onlyOne(
  format: FinalFormat | undefined,
  others: readonly NamedFormat[],
): FinalFormat | undefined {
  const given = others.filter((other) => other.format !== undefined)
  const [first] = given
  const extra = format === undefined ? given[1] : first
  if (extra !== undefined)
    throw invalid(extra.name, 'the request has another format of the reply. Send only one.')
  return format ?? first?.format
}

function schemaFormat(given: object | boolean, at: string): FinalFormat {
  const schema = stringifyInOrder(given)
  requireShort([schema], at)
  return { type: 'json_schema', schema, at }
}

function requireNoCall(name: string, index: number): void {
  if (index === -1) return
  throw invalid(
    `${name}[${index}]`,
    'beside `tools`, this text would be read as a call. Change it, or send no `tools`.',
  )
}

/** @param final the format of a reply that calls no tool */
function parseTools(
  body: ChatCompletionRequest,
  final: FinalFormat | undefined,
): Extract<ReplyFormat, { type: 'tools' }> | undefined {
  const { tools: listed, tool_choice: choice, parallel_tool_calls: areParallel } = body
  if (listed == null && choice == null) return undefined
  const tools = (listed ?? []).map((tool): Tool => {
    const { name, description, parameters } = tool.function
    return {
      name,
      description: description ?? undefined,
      parameters: parameters == null ? undefined : stringifyInOrder(parameters),
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
  return {
    type: 'tools',
    tools,
    choice: called,
    // Callers that name a function expect one call of it.
    areParallel:
      areParallel ?? (typeof called === 'string' && chatParameters.parallel_tool_calls.default),
    // A reply that must call a tool has no other format.
    ...(called === 'auto' && final !== undefined && { final }),
  }
}

function parseToolChoice(
  choice: ChatCompletionRequest['tool_choice'],
): 'none' | 'auto' | 'required' | { name: string } {
  if (choice == null) return chatParameters.tool_choice.default
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
