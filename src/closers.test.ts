import { expect, test } from 'vitest'
import { openInSteps } from './closers.ts'

test('a second close waits for the first, and each closer runs once, the last one first', async () => {
  const replies = Promise.withResolvers<void>()
  const closed: string[] = []
  const service = await openInSteps(async (closers) => {
    closers.push(() => void closed.push('database'))
    closers.push(async () => {
      await replies.promise
      closed.push('replies')
    })
    return {}
  })
  const first = service.close()
  const second = service.close().then(() => closed.push('second close'))
  await Promise.resolve()
  replies.resolve()
  await Promise.all([first, second])
  expect(closed).toEqual(['replies', 'database', 'second close'])
})

test('a closer that fails does not keep the others from running, and its error is thrown', async () => {
  const closed: string[] = []
  const service = await openInSteps(async (closers) => {
    closers.push(() => void closed.push('engine'))
    closers.push(() => Promise.reject(new Error('the database did not close')))
    closers.push(() => void closed.push('server'))
    return {}
  })
  await expect(service.close()).rejects.toThrow('the database did not close')
  await expect(service.close()).rejects.toThrow('the database did not close')
  expect(closed).toEqual(['server', 'engine'])
})

test('a step that fails closes what the earlier ones opened, tells closers so, and its error is thrown', async () => {
  const closed: string[] = []
  const opening = openInSteps(async (closers) => {
    closers.push((hasStarted) => void closed.push(`engine ${hasStarted}`))
    closers.push(() => Promise.reject(new Error('the database did not close')))
    throw new Error('the port is in use')
  })
  await expect(opening).rejects.toThrow('the port is in use')
  expect(closed).toEqual(['engine false'])
})
