import type { TSchema } from 'typebox'
import { ChatCompletionRequest } from '../../src/protocol/chat/chat-request.ts'

/** The keywords of the request's schema that the table shows. */
type Described = {
  readonly type?: string | readonly string[]
  readonly const?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly items?: Described
  readonly properties?: Readonly<Record<string, Described>>
  readonly additionalProperties?: Described
  readonly propertyNames?: Described
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly description?: string
}

/** Parameters whose members have rows of their own. */
const opened = new Set(['messages', 'stream_options', 'structured_outputs'])
/** Sections of docs/api.md that say more about a parameter. */
const sections: Readonly<Record<string, string>> = {
  response_format: 'Structured output',
  tools: 'Tools',
  enable_thinking: 'Thoughts',
  user: 'Sharing the engine',
  stop_token_ids: 'Tokens',
  logit_bias: 'Tokens',
}

/** Returns one line for each parameter of a chat request, from the schema that validates it. */
export function parameterTable(): string[] {
  const schema: TSchema = ChatCompletionRequest
  return rowsOf(schema, '')
}

function rowsOf({ properties = {}, required = [] }: Described, before: string): string[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const path = `${before}${name}`
    const row = `| \`${path}\` | ${typeOf(member)}${required.includes(name) ? ', required' : ''} | ${defaultOf(member)} | ${boundsOf(member)} | ${meaningOf(path, member)} |`
    if (!opened.has(path)) return [row]
    const members = member.items === undefined ? rowsOf(member, `${path}.`) : []
    return [row, ...members, ...(member.items ? rowsOf(member.items, `${path}[].`) : [])]
  })
}

function typeOf({ type = [] }: Described): string {
  return [type]
    .flat()
    .filter((one) => one !== 'null')
    .join(' or ')
}

function defaultOf({ default: value }: Described): string {
  return value === undefined ? '' : `\`${JSON.stringify(value)}\``
}

function boundsOf(schema: Described): string {
  const { items, additionalProperties: values, propertyNames: names } = schema
  const allowed = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  return [
    allowed.map((value) => `\`${value}\``).join(', '),
    range(schema.minimum, schema.maximum),
    range(schema.minItems, schema.maxItems, 'elements'),
    range(undefined, schema.maxProperties, 'entries'),
    // If a text may also be a list of texts, the table shows only the bounds of the list's elements.
    items === undefined ? range(schema.minLength, schema.maxLength, 'characters') : '',
    items?.properties === undefined ? within('each', items) : '',
    within('names of', names),
    within('values of', values),
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function within(what: string, schema: Described | undefined): string {
  const bounds = schema === undefined ? '' : boundsOf(schema)
  return bounds === '' ? '' : `${what} ${bounds}`
}

function range(min: number | undefined, max: number | undefined, unit = ''): string {
  if (min === undefined && max === undefined) return ''
  if (max === undefined)
    return min === 1 && unit !== '' ? 'not empty' : `at least ${min} ${unit}`.trim()
  const bounds = min === undefined ? `up to ${numeral(max)}` : `${numeral(min)} to ${numeral(max)}`
  return `${bounds} ${unit}`.trim()
}

function numeral(value: number): string {
  if (value === Number.MAX_SAFE_INTEGER) return '2⁵³−1'
  if (value === Number.MIN_SAFE_INTEGER) return '−(2⁵³−1)'
  return value.toLocaleString('en').replace('-', '−')
}

function meaningOf(path: string, { description = '' }: Described): string {
  const section = sections[path]
  if (section === undefined) return description
  const anchor = section.toLowerCase().replaceAll(' ', '-')
  return `${description} See [${section}](#${anchor}).`.trim()
}
