import type { FastifySchemaValidationError } from 'fastify'
import { ServiceError, type ErrorCode } from '../../errors.ts'
import { modelId } from '../../protocol/chat/model-id.ts'
import { type FieldPath, toFieldPath } from './field-path.ts'

/** An error of Ajv with the members that Fastify's type lacks. Ajv's option `verbose` adds the schema. */
export type ValidationFault = FastifySchemaValidationError & {
  parentSchema?: { type?: string | string[]; properties?: object }
  /** Set if the name of a member is invalid, not its value. */
  propertyName?: string
}

/** Returns the error for the first fault that the schema has found, with the path of the field. */
export function toValidationError(fault: ValidationFault, body: unknown): ServiceError {
  const path = toFieldPath(fault.instancePath, body)
  switch (fault.keyword) {
    case 'required':
      return missingField(path, String(fault.params['missingProperty']))
    case 'type':
      return fault.instancePath === ''
        ? new ServiceError('invalid_json', 'The body must be a JSON object.')
        : wrongType(fault, path)
    case 'additionalProperties':
      return unknownField(path.member(String(fault.params['additionalProperty']).slice(0, 64)))
    case 'enum':
      if (path.isPartType) return unknownPartType(path.text)
      return error(
        'invalid_value',
        `Invalid value for ${path.code}: ${allowedValues(fault)}.`,
        path,
      )
    case 'const':
      return wrongConstant(fault.params['allowedValue'], path)
    case 'minItems':
      return error('empty_array', `${path.code} must have at least one element.`, path)
    case 'maxItems':
    case 'maxProperties':
    case 'minLength':
    case 'maxLength':
    case 'minimum':
    case 'maximum':
      return outOfBounds(fault, fault.keyword, path)
    default:
      return error('invalid_value', `Invalid value for ${path.code}.`, path)
  }
}

function wrongConstant(allowed: unknown, path: FieldPath): ServiceError {
  if (allowed === modelId)
    return error('model_not_found', `The model does not exist. Use \`${modelId}\`.`, path)
  const what = `it must be \`${String(allowed)}\`.`
  return error('invalid_value', `Invalid value for ${path.code}: ${what}`, path)
}

function missingField(path: FieldPath, name: string): ServiceError {
  const missing = path.member(name)
  // A content part of an unsupported type lacks `text` as well, but the caller needs to know that the type is wrong.
  if (path.isPart && isForeignPart(path.value)) return unknownPartType(path.member('type').text)
  return error(
    'missing_required_parameter',
    `Missing required parameter: ${missing.code}.`,
    missing,
  )
}

function wrongType(fault: ValidationFault, path: FieldPath): ServiceError {
  const types = `expected ${typeNames(fault)}, got ${typeOf(path.value)}`
  return error('invalid_type', `Invalid type for ${path.code}: ${types}.`, path)
}

function unknownField(path: FieldPath): ServiceError {
  return error('unsupported_parameter', `${path.code} is not a field here. Leave it out.`, path)
}

type Bound = 'maxItems' | 'maxProperties' | 'minLength' | 'maxLength' | 'minimum' | 'maximum'

function outOfBounds(fault: ValidationFault, bound: Bound, path: FieldPath): ServiceError {
  const limit = String(fault.params['limit'])
  // The type in the schema decides, not the value. For `temperature: 2` the error is about a decimal, not an integer.
  const kind = [fault.parentSchema?.type].flat().includes('integer') ? 'integer' : 'decimal'
  switch (bound) {
    case 'maxItems':
    case 'maxProperties':
      return error(
        'array_above_max_length',
        `${path.code} has too many elements. The maximum is ${limit}.`,
        path,
      )
    case 'minLength':
      return error('invalid_value', `${path.code} must not be empty.`, path)
    case 'maxLength': {
      const what = fault.propertyName === undefined ? path.code : `A name in ${path.code}`
      const text = `${what} is too long. The maximum is ${limit} characters.`
      return error('string_above_max_length', text, path)
    }
    case 'minimum':
      return error(`${kind}_below_min_value`, `${path.code} must be at least ${limit}.`, path)
    case 'maximum':
      return error(`${kind}_above_max_value`, `${path.code} must be at most ${limit}.`, path)
  }
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

function error(code: ErrorCode, message: string, path: FieldPath): ServiceError {
  return new ServiceError(code, message, path.text === '' ? {} : { param: path.text })
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
