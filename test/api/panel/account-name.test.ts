import { expect, test } from 'vitest'
import type { Me } from '../../../src/protocol/panel-session.ts'
import { admin, setUp } from '../../support/panel/panel.ts'
import { startTestService } from '../../support/service.ts'

test('a user’s account has the user’s name, also after a change, until an admin names it', async () => {
  const service = await startTestService()
  const ada = await setUp(service)
  const accountName = async () => ((await (await ada.get('/me')).json()) as Me).account.name
  const rename = (name: string) => ada.post('/auth/update-user', { name })
  await rename('Ada L.')
  expect(await accountName()).toBe('Ada L.')
  await ada.post(`/accounts/${ada.me.account.id}`, { name: 'Research' })
  await rename(admin.name)
  expect(await accountName()).toBe('Research')
  await ada.post(`/accounts/${ada.me.account.id}`, { name: admin.name })
  await service.close()
})
