import { constants } from 'node:os'
import { expect, test } from 'vitest'
import { codeOf } from './storage-fault.ts'

test('an exhausted quota has a code, although Node gives it no name', () => {
  const errno = -constants.errno.EDQUOT
  const code = `Unknown system error ${errno}`
  expect(codeOf(Object.assign(new Error(code), { code, errno }))).toBe('EDQUOT')
  expect(codeOf(Object.assign(new Error('full'), { code: 'ENOSPC', errno: -28 }))).toBe('ENOSPC')
  expect(codeOf(new Error('other'))).toBe('')
})
