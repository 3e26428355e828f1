import AjvCompiler from '@fastify/ajv-compiler'
import type { FastifySchema, FastifySchemaCompiler } from 'fastify'

/**
 * Fastify's own compiler. There is one for the process, because it keeps what it has compiled for a schema. `verbose`
 * adds the violated schema to an error. Values are not coerced, removed or filled in.
 */
const compile = AjvCompiler()(
  {},
  {
    customOptions: {
      coerceTypes: false,
      removeAdditional: false,
      useDefaults: false,
      allErrors: false,
      verbose: true,
      allowUnionTypes: true,
    },
  },
)
type Validator = ReturnType<typeof compile>

/**
 * Compiles the schema of an operation at its first request. All at once take 70 ms, a tenth of the time in which the
 * service starts.
 */
export const compileWhenUsed: FastifySchemaCompiler<FastifySchema> = (route) => {
  let validator: Validator | undefined
  const validate: ReturnType<typeof compileWhenUsed> = (value: unknown) => {
    // The package's type lacks the route around the schema.
    validator ??= compile(route as never)
    const isValid = validator(value) === true
    validate.errors = validator.errors ?? null
    return isValid
  }
  return validate
}
