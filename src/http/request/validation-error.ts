import type { FastifySchemaValidationError } from 'fastify'
import { ServiceError, type ErrorCode } from '../../errors.ts'

/** An error of Ajv with the members that Fastify's type lacks. Ajv's option `verbose` adds the schema. */
export type ValidationFault = FastifySchemaValidationError & {
  parentSchema?: { type?: string | string[]; properties?: object }
  /** Set where the name of a member is at fault and not its value. */
  propertyName?: string
}

/** The first fault that the schema found → the row of the error table, with the field's path. */
export function toValidationError(fault: ValidationFault, body: unknown): ServiceError {
  const path = toPath(fault.instancePath, body)
  switch (fault.keyword) {
    case 'required': {
      const missing = path.field(String(fault.params['missingProperty']))
      // A part of another type has no text either; its type is what the caller must know.
      if (path.isPart && isForeignPart(path.value)) return unknownPartType(path.field('type').text)
      return error(
        'missing_required_parameter',
        `Missing required parameter: \`${missing.text}\`.`,
        missing,
      )
    }
    case 'type':
      if (fault.instancePath === '')
        return new ServiceError('invalid_json', 'The body must be a JSON object.')
      return error(
        'invalid_type',
        `Invalid type for \`${path.text}\`: expected ${typeNames(fault)}, got ${typeOf(path.value)}.`,
        path,
      )
    case 'additionalProperties': {
      const unknown = path.field(String(fault.params['additionalProperty']).slice(0, 64))
      return error(
        'unsupported_parameter',
        `\`${unknown.text}\` is not a field here: leave it out.`,
        unknown,
      )
    }
    case 'enum':
      if (/^messages\[\d+\]\.content\[\d+\]\.type$/.test(path.text))
        return unknownPartType(path.text)
      return error(
        'invalid_value',
        `Invalid value for \`${path.text}\`: ${allowedValues(fault)}.`,
        path,
      )
    case 'minItems':
      return error('empty_array', `\`${path.text}\` must have at least one element.`, path)
    case 'maxItems':
    case 'maxProperties':
      return error(
        'array_above_max_length',
        `\`${path.text}\` has too many elements: at most ${limitOf(fault)}.`,
        path,
      )
    case 'minLength':
      return error('invalid_value', `\`${path.text}\` must not be empty.`, path)
    case 'maxLength':
      return error(
        'string_above_max_length',
        `${fault.propertyName === undefined ? '' : 'A name in '}\`${path.text}\` is too long: at most ${limitOf(fault)} characters.`,
        path,
      )
    case 'minimum':
      return error(
        isInteger(fault) ? 'integer_below_min_value' : 'decimal_below_min_value',
        `\`${path.text}\` must be at least ${limitOf(fault)}.`,
        path,
      )
    case 'maximum':
      return error(
        isInteger(fault) ? 'integer_above_max_value' : 'decimal_above_max_value',
        `\`${path.text}\` must be at most ${limitOf(fault)}.`,
        path,
      )
    default:
      return error('invalid_value', `Invalid value for \`${path.text}\`.`, path)
  }
}

class Path {
  readonly text: string
  readonly value: unknown

  constructor(text: string, value: unknown) {
    this.text = text
    this.value = value
  }

  /** Of a message's content. */
  get isPart(): boolean {
    return /^messages\[\d+\]\.content\[\d+\]$/.test(this.text)
  }

  field(name: string): Path {
    return new Path(this.text === '' ? name : `${this.text}.${name}`, undefined)
  }
}

/** JSON Pointer (RFC 6901) → `messages[0].content`, and what stands there. */
function toPath(pointer: string, body: unknown): Path {
  let text = ''
  let value = body
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) text += `[${name}]`
    else text += text === '' ? name : `.${name}`
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  }
  return new Path(text, value)
}

function isForeignPart(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type !== 'text'
}

function unknownPartType(param: string): ServiceError {
  return new ServiceError(
    'invalid_value',
    `\`${param}\` must be \`text\`: this model reads text only.`,
    { param },
  )
}

function error(code: ErrorCode, message: string, path: Path): ServiceError {
  return new ServiceError(code, message, path.text === '' ? {} : { param: path.text })
}

function limitOf(fault: ValidationFault): string {
  return String(fault.params['limit'])
}

function typeNames(fault: ValidationFault): string {
  const names = [fault.params['type']].flat().map(String)
  return names
    .filter((name) => name !== 'null')
    .map((name) => `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`)
    .join(' or ')
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal number'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function allowedValues(fault: ValidationFault): string {
  const values = fault.params['allowedValues']
  if (!Array.isArray(values)) return 'it is not one of the allowed values'
  return `it must be one of ${values.map((value) => `\`${String(value)}\``).join(', ')}`
}

/** By the schema, not by the value: `temperature: 2` is a decimal out of range. */
function isInteger(fault: ValidationFault): boolean {
  return [fault.parentSchema?.type].flat().includes('integer')
}
