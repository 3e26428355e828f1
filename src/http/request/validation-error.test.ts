import { expect, test } from 'vitest'
import { toValidationError, type ValidationFault } from './validation-error.ts'

test('a wrong constant is named with its value, and only a wrong model is not found', () => {
  const fault = (name: string, allowedValue: unknown): ValidationFault => ({
    keyword: 'const',
    instancePath: `/${name}`,
    schemaPath: '',
    params: { allowedValue },
  })
  const body = { model: 'gpt-9', revokeOtherSessions: false }
  expect(toValidationError(fault('model', 'svc-o1-mini'), body)).toMatchObject({
    code: 'model_not_found',
    param: 'model',
  })
  expect(toValidationError(fault('revokeOtherSessions', true), body)).toMatchObject({
    code: 'invalid_value',
    param: 'revokeOtherSessions',
    message: 'Invalid value for `revokeOtherSessions`: it must be `true`.',
  })
})
