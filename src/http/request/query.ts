import type { TObject } from 'typebox'
import { ServiceError } from '../../errors.ts'
import { toValidationError, type ValidationFault } from './validation-error.ts'

const integer = /^-?\d{1,16}$/

/**
 * Converts query values to numbers where the schema wants integers. All other values stay as sent, for the schema to
 * accept or refuse.
 */
export function readQuery({ properties }: TObject, query: unknown): unknown {
  return Object.fromEntries(
    Object.entries(query ?? {}).map(([name, value]: [string, unknown]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, isInteger(schema) && isNumeral(value) ? Number(value) : value]
    }),
  )
}

/** Returns the error for the first fault that the schema has found in a query. */
export function toQueryError(fault: ValidationFault, query: unknown): ServiceError {
  const error = toValidationError(fault, query)
  const { param, code } = error
  if (param === null) return error
  switch (fault.keyword) {
    case 'type': {
      const value: unknown = Reflect.get(Object(query), param)
      const wanted = fault.params['type'] === 'integer' ? 'a whole number' : 'a text'
      const what = Array.isArray(value) ? 'given once' : wanted
      return new ServiceError(code, `\`${param}\` must be ${what}.`, { param })
    }
    case 'additionalProperties': {
      const names = Object.keys(fault.parentSchema?.properties ?? {}).map((name) => `\`${name}\``)
      return new ServiceError(
        code,
        `Unknown parameter \`${param}\`. This URL supports only ${names.join(', ')}.`,
        { param },
      )
    }
    default:
      return error
  }
}

function isInteger(schema: object | undefined): boolean {
  return schema !== undefined && 'type' in schema && schema.type === 'integer'
}

function isNumeral(value: unknown): value is string {
  return typeof value === 'string' && integer.test(value)
}
