import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('a field that is not of the list is never logged, nor are properties of an error (T32)', () => {
  const logger = new URL('./logger.ts', import.meta.url).href
  const script = `
    import { createLogger } from ${JSON.stringify(logger)}
    const error = Object.assign(new Error('failed'), { body: 'canary-of-error' })
    createLogger('info').info('request', { requestId: 'req_1', prompt: 'canary-of-field', error })`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  expect(JSON.parse(stderr)).toMatchObject({
    msg: 'request',
    requestId: 'req_1',
    error: [{ name: 'Error', message: 'failed' }],
  })
  expect(stderr).not.toContain('canary')
})
