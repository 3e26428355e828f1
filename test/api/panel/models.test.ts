import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { writeChoice } from '../../../src/models/used-model.ts'
import type { AuditList } from '../../../src/protocol/panel/audit.ts'
import type { PanelModel, PanelModels } from '../../../src/protocol/panel/models.ts'
import { randomGguf } from '../../support/gguf/random-gguf.ts'
import { ggufBytes } from '../../support/gguf/write-gguf.ts'
import { LocalHub } from '../../support/hub/local-hub.ts'
import { storeModel } from '../../support/models/stored-model.ts'
import { errorOf } from '../../support/error-of.ts'
import {
  addUser,
  admin as adminUser,
  setUp,
  signIn,
  type Signed,
} from '../../support/panel/panel.ts'
import { question, startTestService } from '../../support/service.ts'

const tiny = randomGguf({ contextTokens: 1024 })
const large = Buffer.concat([tiny, Buffer.alloc(3_000_000, 7)])
const repositories = {
  'someone/Tiny-GGUF': { files: { 'Tiny-Q8_0.gguf': tiny }, licence: 'mit' },
  'someone/Large-GGUF': { files: { 'Large-Q8_0.gguf': large } },
  'someone/Gated-GGUF': { files: { 'Gated-Q8_0.gguf': tiny }, gated: true },
  'someone/Wrong-GGUF': {
    files: { 'Wrong-Q8_0.gguf': tiny },
    claims: { 'Wrong-Q8_0.gguf': { sha256: '0'.repeat(64) } },
  },
  'someone/Huge-GGUF': {
    files: { 'Huge-Q8_0.gguf': tiny },
    claims: { 'Huge-Q8_0.gguf': { bytes: 1e15 } },
  },
  'someone/Bert-GGUF': {
    files: { 'Bert-Q8_0.gguf': ggufBytes({ 'general.architecture': 'nomic-bert' }, []) },
  },
  'Qwen/Qwen3-0.6B-GGUF': { files: { 'Qwen3-0.6B-Q8_0.gguf': tiny } },
}

async function start(options: Parameters<typeof startTestService>[0] = {}) {
  const hub = await LocalHub.start(repositories)
  onTestFinished(() => hub.close())
  vi.stubEnv('HF_ENDPOINT', hub.url)
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-test-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const service = await startTestService({ dataDir, ...options })
  onTestFinished(() => service.close())
  return { hub, dataDir, service, admin: await setUp(service) }
}
afterEach(() => vi.unstubAllEnvs())

/** A busy machine takes seconds for steps that are usually instant. */
const within = { timeout: 20_000 }

const list = async ({ get }: Pick<Signed, 'get'>) =>
  (await (await get('/models')).json()) as PanelModels
const model = async ({ get }: Pick<Signed, 'get'>) =>
  (await (await get('/model')).json()) as PanelModel
/** Returns the changes of models in the audit log, oldest first. */
const audited = async ({ get }: Pick<Signed, 'get'>) => {
  const { data } = (await (await get('/audit')).json()) as AuditList
  const changes = data.filter(({ action }) => action.startsWith('model.'))
  return changes.map(({ actor, action, target_name }) => [actor, action, target_name]).toReversed()
}
const pull = ({ post }: Signed, name: string) => post('/models/pulls', { model: name })
const pulled = async (user: Signed) =>
  (await list(user)).models.map(({ name }) => name).filter((name) => name !== 'default')

/** Starts a pull that must fail, and returns its message. */
async function failureOf(user: Signed, name: string): Promise<string> {
  expect((await pull(user, name)).status).toBe(200)
  const failed = async () => (await list(user)).pulls.find((one) => one.model === name)
  await expect.poll(failed, within).toMatchObject({ state: 'failed' })
  return (await failed())?.message ?? ''
}

test('an admin pulls a model by its name, and members see it', async () => {
  const { service, admin } = await start()
  expect((await pull(admin, 'qwen3-0.6b')).status).toBe(200)
  // The model is in its folder a moment before the pull has ended.
  await expect.poll(() => list(admin), within).toMatchObject({ pulls: [] })
  expect(await pulled(admin)).toEqual(['qwen3-0.6b-q8_0'])
  const member = await addUser(service, { email: 'bob@example.com', name: 'Bob' })
  const seen = await list(member)
  expect(seen.pulls).toEqual([])
  expect(seen.catalogue.map(({ name }) => name)).toContain('qwen3-0.6b')
  expect(seen.models.at(-1)).toMatchObject({
    name: 'qwen3-0.6b-q8_0',
    bytes: tiny.length,
    quantisation: 'Q8_0',
    serving: false,
    damage: null,
  })
  expect(await errorOf(member.post('/models/pulls', { model: 'qwen3-4b' }))).toEqual([
    403,
    'insufficient_permissions',
    null,
  ])
})

test('a pull shows its progress, is kept when it is cancelled, and goes on after a restart', async () => {
  const { hub, dataDir, service, admin } = await start()
  hub.faults.push({ type: 'hold', afterBytes: 1_500_000 })
  await pull(admin, 'hf:someone/Large-GGUF')
  const running = async () => (await list(admin)).pulls[0]
  await expect.poll(running, within).toMatchObject({ state: 'running', bytes: 1_500_000 })
  const { id } = (await running()) ?? {}
  expect(await running()).toMatchObject({ name: 'large-q8_0', total_bytes: large.length })
  expect((await admin.post(`/models/pulls/${id}/cancel`)).status).toBe(200)
  const stopped = { id: 'large-q8_0', state: 'stopped', bytes: 1_500_000 }
  expect((await list(admin)).pulls).toEqual([expect.objectContaining(stopped)])
  expect(await pulled(admin)).toEqual([])
  await service.close()
  const next = await startTestService({ dataDir })
  onTestFinished(() => next.close())
  const again = await signIn(next)
  expect((await list(again)).pulls).toEqual([expect.objectContaining(stopped)])
  expect((await again.post('/models/pulls/large-q8_0/resume')).status).toBe(200)
  await expect.poll(() => list(again), within).toMatchObject({ pulls: [] })
  expect(await pulled(again)).toEqual(['large-q8_0'])
  expect(hub.requests.at(-1)?.range).toBe('bytes=1500000-')
})

test('pulls run one after the other, few wait, and one model is pulled once', async () => {
  const { hub, admin } = await start()
  hub.faults.push({ type: 'hold', afterBytes: 1000 })
  await pull(admin, 'hf:someone/Large-GGUF')
  await pull(admin, 'hf:someone/Tiny-GGUF')
  expect(await errorOf(pull(admin, 'hf:someone/Large-GGUF'))).toEqual([409, 'model_busy', null])
  for (let count = 0; count < 7; count++)
    expect((await pull(admin, `hf:someone/Other-${count}`)).status).toBe(200)
  expect(await errorOf(pull(admin, 'hf:someone/Beyond'))).toEqual([409, 'model_busy', null])
  const { pulls } = await list(admin)
  expect(pulls.map(({ state }) => state)).toEqual(['running', ...Array(8).fill('waiting')])
  for (const { id } of pulls.toReversed()) await admin.post(`/models/pulls/${id}/cancel`)
  expect((await list(admin)).pulls.map(({ state }) => state)).toEqual(['stopped'])
  expect((await admin.post('/models/pulls/large-q8_0/discard')).status).toBe(200)
  expect((await list(admin)).pulls).toEqual([])
  expect(await errorOf(admin.post('/models/pulls/large-q8_0/discard'))).toEqual([
    404,
    'not_found',
    null,
  ])
})

test('a model that cannot be pulled gets one sentence and what to do', async () => {
  const { hub, admin } = await start()
  const refused = await pull(admin, 'qwen3-0.7b')
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('Did you mean qwen3-0.6b')
  expect(await errorOf(pull(admin, 'https://example.com/model.gguf'))).toEqual([
    400,
    'invalid_value',
    'model',
  ])
  const failure = (name: string) => failureOf(admin, `hf:someone/${name}`)
  expect(await failure('Unknown-GGUF')).toMatch(/has no someone\/Unknown-GGUF.*Check the name/)
  expect(await failure('Gated-GGUF')).toMatch(/is gated\. Accept its terms .* HF_TOKEN/)
  expect(await failure('Wrong-GGUF')).toMatch(/SHA-256 .* so it was deleted\. Pull it again/)
  expect(await failure('Huge-GGUF:Q8_0')).toMatch(/of space .* Free some space/)
  expect(await failure('Bert-GGUF')).toMatch(/is an embedding or ranking model\. Choose a model/)
  await hub.close()
  expect(await failure('Tiny-GGUF')).toMatch(/Check the network\. HTTPS_PROXY/)
  expect(await pulled(admin)).toEqual([])
})

test('an admin serves a pulled model and returns to the bundled one; a bad one changes nothing', async () => {
  const environment = { PIPIT_ENGINE: 'embedded', PIPIT_SLOTS: '1' }
  const { service, admin } = await start({ environment, isSwitchable: true })
  const bundled = await model(admin)
  expect(bundled).toMatchObject({
    model: { name: 'default', quantisation: 'Q8_0', file: 'svc-o1-mini.gguf', bytes: 20_353_280 },
    speed: { replies: 0, tokens_per_second: null },
  })
  expect(bundled.card.length).toBeGreaterThan(3)
  expect(bundled.hardware.memory_bytes).toBeGreaterThan(0)
  await service.post({ ...question, max_tokens: 20, temperature: 0 })
  await expect.poll(async () => (await model(admin)).speed.replies, within).toBe(1)
  await pull(admin, 'hf:someone/Tiny-GGUF')
  await expect.poll(() => pulled(admin), within).toEqual(['tiny-q8_0'])
  expect((await admin.post('/models/tiny-q8_0/use')).status).toBe(200)
  const idle = async () => (await list(admin)).switching
  await expect.poll(idle, within).toBeNull()
  expect((await list(admin)).models.map(({ serving }) => serving)).toEqual([false, true])
  const served = await model(admin)
  expect(served.model).toMatchObject({ name: 'tiny-q8_0', licence: 'mit', context_tokens: 1024 })
  expect(served.model.fingerprint).not.toBe(bundled.model.fingerprint)
  expect([served.card, served.speed.replies]).toEqual([[], 0])
  expect(await errorOf(admin.post('/models/tiny-q8_0/remove'))).toEqual([409, 'model_busy', null])
  expect(await errorOf(admin.post('/models/tiny/use'))).toEqual([404, 'not_found', null])
  await admin.post('/models/default/use')
  await expect.poll(async () => (await model(admin)).model.name, within).toBe('default')
  await expect.poll(idle, within).toBeNull()
  expect((await admin.post('/models/tiny-q8_0/remove')).status).toBe(200)
  expect(await pulled(admin)).toEqual([])
  expect(await audited(admin)).toEqual([
    [adminUser.email, 'model.pull', 'hf:someone/Tiny-GGUF'],
    [adminUser.email, 'model.use', 'tiny-q8_0'],
    [adminUser.email, 'model.use', 'default'],
    [adminUser.email, 'model.remove', 'tiny-q8_0'],
  ])
}, 120_000)

test('a model that cannot be loaded is named with its fault, and the earlier one serves on', async () => {
  const environment = { PIPIT_ENGINE: 'embedded', PIPIT_SLOTS: '1' }
  const { dataDir, service, admin } = await start({ environment, isSwitchable: true })

  await storeModel(dataDir, 'bad', randomGguf().subarray(0, 60_000))
  await admin.post('/models/bad/use')
  await expect
    .poll(async () => (await list(admin)).failure, within)
    .toMatchObject({ name: 'bad', message: expect.stringContaining('m.gguf cannot be used') })
  expect((await list(admin)).models.map(({ serving }) => serving)).toEqual([true, false])
  expect(await audited(admin)).toEqual([])
  expect((await service.post(question)).status).toBe(200)
  // Members do not see the failure, because its text names a folder on the server.
  const member = await addUser(service, { email: 'bob@example.com', name: 'Bob' })
  expect((await list(member)).failure).toBeNull()
  // Chooses as `models use good` does.
  await storeModel(dataDir, 'good', tiny)
  await writeChoice(dataDir, 'good')
  await expect.poll(async () => (await list(admin)).failure, within).toBeNull()
}, 120_000)

test('where a setting decides on the model, it cannot be switched', async () => {
  const { admin } = await start()
  expect((await list(admin)).can_switch).toBe(false)
  expect(await errorOf(admin.post('/models/default/use'))).toEqual([409, 'model_busy', null])
})
