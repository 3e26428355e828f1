import { expect, test } from 'vitest'
import { loadConfig, unknownSettings } from './config.ts'

test('without settings the service is private: loopback, port 8080', () => {
  expect(loadConfig({ HOME: '/home/ada' })).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    engine: {
      kind: 'embedded',
      slots: undefined,
      contextTokens: undefined,
      kvType: 'f16',
      gpu: 'auto',
    },
    metrics: { port: 9464, fixed: false },
  })
})

test('all invalid settings are reported at once, by name', () => {
  expect(() =>
    loadConfig({
      PIPIT_PORT: '99999',
      PIPIT_SLOTS: 'many',
      PIPIT_ENGINE: 'gpt',
      PIPIT_THREADS: '0',
    }),
  ).toThrow(/PIPIT_PORT .*PIPIT_ENGINE .*PIPIT_SLOTS .*PIPIT_THREADS /)
})

test('a PIPIT_PORT that Kubernetes has set is explained', () => {
  expect(() => loadConfig({ PIPIT_PORT: 'tcp://10.0.0.1:8080' })).toThrow('enableServiceLinks')
})

test('an empty value counts as unset', () => {
  expect(loadConfig({ PIPIT_PORT: '', PIPIT_MODEL: ' ' }).port).toBe(8080)
})

test('the data directory follows XDG, and a relative XDG path does not count', () => {
  expect(loadConfig({ XDG_DATA_HOME: '/data' }).dataDir).toBe('/data/pipit')
  expect(loadConfig({ XDG_DATA_HOME: 'data' }).dataDir).toMatch(/\.local\/share\/pipit$/)
  expect(loadConfig({ PIPIT_DATA_DIR: '/var/lib/pipit' }).dataDir).toBe('/var/lib/pipit')
})

test('an unknown PIPIT_ variable is found', () => {
  expect(unknownSettings({ PIPIT_PROT: '1', PIPIT_PORT: '1', PATH: '' })).toEqual(['PIPIT_PROT'])
})

test('the public URL is an origin, as browsers name it', () => {
  const { panel } = loadConfig({ PIPIT_PUBLIC_URL: 'https://Pipit.Example.com:443/' })
  expect(panel).toEqual({
    publicUrl: 'https://pipit.example.com',
    signUp: 'closed',
    oidc: undefined,
  })
  for (const url of [
    'pipit.example.com',
    'https://x.org/panel',
    'ftp://x.org',
    'https://a:b@x.org',
  ])
    expect(() => loadConfig({ PIPIT_PUBLIC_URL: url })).toThrow('PIPIT_PUBLIC_URL must be like')
})

test('an issuer of OIDC needs an id and a secret, and they need an issuer', () => {
  const issuer = { PIPIT_OIDC_ISSUER: 'https://id.example.com/realm' }
  expect(() => loadConfig(issuer)).toThrow(/PIPIT_OIDC_CLIENT_ID .*PIPIT_OIDC_CLIENT_SECRET /)
  expect(() => loadConfig({ PIPIT_OIDC_CLIENT_ID: 'x' })).toThrow('PIPIT_OIDC_ISSUER is missing')
  const client = { PIPIT_OIDC_CLIENT_ID: 'x', PIPIT_OIDC_CLIENT_SECRET: 'y' }
  expect(loadConfig({ ...issuer, ...client }).panel.oidc?.name).toBe('id.example.com')
})

test('a model of your own can be pinned by its checksum', () => {
  const sha256 = 'AB'.repeat(32)
  const { engine } = loadConfig({ PIPIT_MODEL: 'own.gguf', PIPIT_MODEL_SHA256: sha256 })
  expect(engine).toMatchObject({ modelSha256: 'ab'.repeat(32) })
  expect(loadConfig({ PIPIT_MODEL: 'own.gguf' }).engine).toMatchObject({ modelSha256: undefined })
  expect(() => loadConfig({ PIPIT_MODEL: 'own.gguf', PIPIT_MODEL_SHA256: 'abc' })).toThrow(
    'PIPIT_MODEL_SHA256 must have 64 hexadecimal digits',
  )
  expect(() => loadConfig({ PIPIT_MODEL_SHA256: sha256 })).toThrow(
    'PIPIT_MODEL_SHA256 needs PIPIT_MODEL',
  )
})

test('running replies get 30 seconds to end unless PIPIT_GRACE_SECONDS says otherwise', () => {
  expect(loadConfig({}).graceMs).toBe(30_000)
  expect(loadConfig({ PIPIT_GRACE_SECONDS: '0' }).graceMs).toBe(0)
  expect(() => loadConfig({ PIPIT_GRACE_SECONDS: '3601' })).toThrow('PIPIT_GRACE_SECONDS must be')
})
