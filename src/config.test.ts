import { expect, test } from 'vitest'
import { loadConfig, loadPublicUrl, unknownSettings } from './config.ts'

test('without settings the service is private: loopback, port 8080 (T1)', () => {
  expect(loadConfig({ HOME: '/home/ada' })).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    connectionsPerAddress: 2048,
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
      PIPIT_CONNECTIONS_PER_ADDRESS: '4097',
      PIPIT_SLOTS: 'many',
      PIPIT_ENGINE: 'gpt',
      PIPIT_THREADS: '0',
    }),
  ).toThrow(
    /PIPIT_PORT .*PIPIT_CONNECTIONS_PER_ADDRESS .*PIPIT_ENGINE .*PIPIT_SLOTS .*PIPIT_THREADS /,
  )
})

test('the sandbox is on unless it is switched off', () => {
  expect(loadConfig({}).engine).toMatchObject({ sandbox: true })
  expect(loadConfig({ PIPIT_SANDBOX: 'off' }).engine).toMatchObject({ sandbox: false })
  expect(() => loadConfig({ PIPIT_SANDBOX: 'no' })).toThrow('PIPIT_SANDBOX must be one of on, off')
  expect(loadConfig({})).toMatchObject({ tellsSchema: false })
  expect(loadConfig({ PIPIT_SCHEMA_IN_PROMPT: 'on' })).toMatchObject({ tellsSchema: true })
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
  expect(
    unknownSettings({ PIPIT_PROT: '1', PIPIT_PORT: '1', PIPIT_API_KEY: 'k', PATH: '' }),
  ).toEqual(['PIPIT_PROT'])
})

test('a setting with its earlier name is read, unless the present name has a value', () => {
  const tokens = (environment: Record<string, string>) => {
    const { engine } = loadConfig(environment)
    return 'speculativeTokens' in engine ? engine.speculativeTokens : undefined
  }
  expect(tokens({ PIPIT_GUESSED_TOKENS: '3' })).toBe(3)
  expect(tokens({ PIPIT_GUESSED_TOKENS: '3', PIPIT_SPECULATIVE_TOKENS: '0' })).toBe(0)
  expect(tokens({ PIPIT_GUESSED_TOKENS: '3', PIPIT_SPECULATIVE_TOKENS: '' })).toBe(3)
  expect(unknownSettings({ PIPIT_GUESSED_TOKENS: '3' })).toEqual([])
})

test('the service and its metrics never want the same port', () => {
  const metrics = (environment: Record<string, string>) => loadConfig(environment).metrics
  for (const PIPIT_HOST of ['127.0.0.1', 'localhost', '0.0.0.0', '::']) {
    const environment = { PIPIT_HOST, PIPIT_PORT: '9464' }
    expect(metrics(environment)).toEqual({ port: 0, fixed: false })
    expect(() => loadConfig({ ...environment, PIPIT_METRICS_PORT: '9464' })).toThrow(
      'PIPIT_METRICS_PORT must differ from PIPIT_PORT, which is 9464 too.',
    )
  }
  expect(metrics({ PIPIT_HOST: '192.0.2.1', PIPIT_PORT: '9464' }).port).toBe(9464)
  expect(metrics({ PIPIT_PORT: '0', PIPIT_METRICS_PORT: '0' })).toEqual({ port: 0, fixed: true })
})

test('the public URL is an origin, as browsers name it', () => {
  const { panel } = loadConfig({ PIPIT_PUBLIC_URL: 'https://Pipit.Example.com:443/' })
  expect(panel).toEqual({
    publicUrl: 'https://pipit.example.com',
    signUp: undefined,
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

test('trusted proxies are addresses or networks; without the setting no proxy is trusted', () => {
  const { isTrustedProxy } = loadConfig({ PIPIT_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' })
  expect(['::ffff:127.0.0.1', '10.9.8.7', '192.0.2.1'].map(isTrustedProxy)).toEqual([
    true,
    true,
    false,
  ])
  expect(loadConfig({}).isTrustedProxy('127.0.0.1')).toBe(false)
  const wrong = { PIPIT_TRUSTED_PROXIES: '127.0.0.1,caddy' }
  expect(() => loadConfig(wrong)).toThrow('PIPIT_TRUSTED_PROXIES must list addresses like')
  expect(() => loadConfig(wrong)).toThrow('not "caddy".')
  const many = { PIPIT_TRUSTED_PROXIES: '10.0.0.1 '.repeat(65) }
  expect(() => loadConfig(many)).toThrow('PIPIT_TRUSTED_PROXIES has 65 entries; at most 64 fit.')
})

test('allowed hosts are names without port', () => {
  expect(loadConfig({ PIPIT_ALLOWED_HOSTS: 'pipit,Chat.Example.com' }).allowedHosts).toEqual([
    'pipit',
    'chat.example.com',
  ])
  for (const name of ['pipit:8080', 'https://pipit', '*', '.example.com'])
    expect(() => loadConfig({ PIPIT_ALLOWED_HOSTS: `a, ${name}` })).toThrow(
      `PIPIT_ALLOWED_HOSTS must list host names like chat.example.com, without port, not "${name}".`,
    )
})

test('TLS needs a certificate and a key, and a public URL of https', () => {
  const both = { PIPIT_TLS_CERT: '/etc/pipit/cert.pem', PIPIT_TLS_KEY: '/etc/pipit/key.pem' }
  expect(loadConfig({}).tls).toBeUndefined()
  expect(loadConfig(both).tls).toEqual({
    certPath: '/etc/pipit/cert.pem',
    keyPath: '/etc/pipit/key.pem',
  })
  expect(loadPublicUrl(both)).toBe('https://127.0.0.1:8080')
  expect(() => loadConfig({ PIPIT_TLS_CERT: 'cert.pem' })).toThrow('PIPIT_TLS_KEY is missing')
  expect(() => loadConfig({ PIPIT_TLS_KEY: 'key.pem' })).toThrow('PIPIT_TLS_CERT is missing')
  expect(() => loadConfig({ ...both, PIPIT_PUBLIC_URL: 'http://pipit.example.com' })).toThrow(
    'PIPIT_PUBLIC_URL must begin with https:// when PIPIT_TLS_CERT is set',
  )
})

test('an issuer of OIDC needs an id and a secret, and they need an issuer', () => {
  const issuer = { PIPIT_OIDC_ISSUER: 'https://id.example.com/realm' }
  expect(() => loadConfig(issuer)).toThrow(/PIPIT_OIDC_CLIENT_ID .*PIPIT_OIDC_CLIENT_SECRET /)
  expect(() => loadConfig({ PIPIT_OIDC_CLIENT_ID: 'x' })).toThrow('PIPIT_OIDC_ISSUER is missing')
  const client = { PIPIT_OIDC_CLIENT_ID: 'x', PIPIT_OIDC_CLIENT_SECRET: 'y' }
  expect(loadConfig({ ...issuer, ...client }).panel.oidc?.name).toBe('id.example.com')
})

test('a model of your own can be pinned by its checksum (T23, T59)', () => {
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

test('a chat template of your own replaces that of the model file', () => {
  expect(loadConfig({}).engine).toMatchObject({ chatTemplatePath: undefined })
  const { engine } = loadConfig({ PIPIT_CHAT_TEMPLATE: '/models/own.jinja' })
  expect(engine).toMatchObject({ chatTemplatePath: '/models/own.jinja' })
})

test('the ledger may take 10 GiB unless PIPIT_LEDGER_MAX_GIB says otherwise', () => {
  expect(loadConfig({}).ledgerBytesMax).toBe(10_737_418_240)
  expect(loadConfig({ PIPIT_LEDGER_MAX_GIB: '1' }).ledgerBytesMax).toBe(1_073_741_824)
  expect(() => loadConfig({ PIPIT_LEDGER_MAX_GIB: '0' })).toThrow('PIPIT_LEDGER_MAX_GIB must be')
})

test('a service that stops drains for PIPIT_DRAIN_SECONDS, by default not at all', () => {
  expect(loadConfig({}).drainMs).toBe(0)
  expect(loadConfig({ PIPIT_DRAIN_SECONDS: '5' }).drainMs).toBe(5000)
  expect(() => loadConfig({ PIPIT_DRAIN_SECONDS: '601' })).toThrow(
    'PIPIT_DRAIN_SECONDS must be a whole number from 0 to 600',
  )
})

test('running replies get 30 seconds to end unless PIPIT_GRACE_SECONDS says otherwise', () => {
  expect(loadConfig({}).graceMs).toBe(30_000)
  expect(loadConfig({ PIPIT_GRACE_SECONDS: '0' }).graceMs).toBe(0)
  expect(() => loadConfig({ PIPIT_GRACE_SECONDS: '3601' })).toThrow('PIPIT_GRACE_SECONDS must be')
})

test('a reply has 256 tokens by default and at most 2048; PIPIT_MAX_TOKENS raises both', () => {
  expect(loadConfig({}).completionTokens).toEqual({ default: 256, max: 2048 })
  const raised = { default: 8192, max: 8192 }
  expect(loadConfig({ PIPIT_MAX_TOKENS: '8192' }).completionTokens).toEqual(raised)
  expect(() => loadConfig({ PIPIT_MAX_TOKENS: '2047' })).toThrow('PIPIT_MAX_TOKENS must be')
})
