import { expect, test } from 'vitest'
import { loadConfig, unknownSettings } from '../../config.ts'

const upstream = {
  PIPIT_ENGINE: 'upstream',
  PIPIT_UPSTREAM_URLS: 'http://10.0.0.5:8000',
  PIPIT_UPSTREAM_MODEL: 'meta/llama',
}

test('upstream engines are read with their defaults', () => {
  expect(loadConfig(upstream).engine).toEqual({
    kind: 'upstream',
    urls: ['http://10.0.0.5:8000'],
    flavour: 'openai',
    model: 'meta/llama',
    key: undefined,
    slots: 256,
    contextTokens: undefined,
  })
})

test('URLs may end with a slash, with /v1, or with the path of a router', () => {
  const PIPIT_UPSTREAM_URLS = 'http://a:1/, https://b/v1 http://c/openai/v1/'
  expect(loadConfig({ ...upstream, PIPIT_UPSTREAM_URLS }).engine).toMatchObject({
    urls: ['http://a:1', 'https://b', 'http://c/openai'],
  })
})

test('settings of upstream engines are known, and larger than those of the embedded engine', () => {
  const settings = {
    ...upstream,
    PIPIT_UPSTREAM_FLAVOUR: 'vllm',
    PIPIT_UPSTREAM_KEY: 'k',
    PIPIT_SLOTS: '1024',
    PIPIT_CONTEXT_TOKENS: '1000000',
  }
  expect(unknownSettings(settings)).toEqual([])
  expect(loadConfig(settings).engine).toMatchObject({
    flavour: 'vllm',
    key: 'k',
    slots: 1024,
    contextTokens: 1_000_000,
  })
})

const wrong: readonly (readonly [string, Record<string, string>, RegExp])[] = [
  ['no URL', { PIPIT_UPSTREAM_URLS: '' }, /PIPIT_UPSTREAM_URLS is missing/],
  ['no model', { PIPIT_UPSTREAM_MODEL: '' }, /PIPIT_UPSTREAM_MODEL is missing/],
  ['another protocol', { PIPIT_UPSTREAM_URLS: 'ftp://a' }, /must list http or https URLs/],
  ['a user in the URL', { PIPIT_UPSTREAM_URLS: 'http://u:p@a' }, /must list http or https URLs/],
  ['a URL twice', { PIPIT_UPSTREAM_URLS: 'http://a http://a/v1' }, /lists a URL twice/],
  [
    'an unknown flavour',
    { PIPIT_UPSTREAM_FLAVOUR: 'tgi' },
    /PIPIT_UPSTREAM_FLAVOUR must be one of/,
  ],
  [
    'a key that no header can have',
    { PIPIT_UPSTREAM_KEY: 'se\ncret' },
    /PIPIT_UPSTREAM_KEY must be/,
  ],
  ['too many slots', { PIPIT_SLOTS: '9999' }, /PIPIT_SLOTS must be a whole number from 1 to 1024/],
  [
    'a setting of the embedded engine',
    { PIPIT_MODEL: '/nope', PIPIT_THREADS: 'abc', PIPIT_KV_TYPE: 'banana' },
    /PIPIT_MODEL has no effect with PIPIT_ENGINE=upstream; PIPIT_KV_TYPE has .*; PIPIT_THREADS has /,
  ],
  [
    'the speed of the scripted engine',
    { PIPIT_SCRIPTED_TOKENS_PER_SECOND: '5' },
    /PIPIT_SCRIPTED_TOKENS_PER_SECOND has no effect/,
  ],
  [
    'another engine',
    { PIPIT_ENGINE: 'scripted' },
    /PIPIT_UPSTREAM_URLS needs PIPIT_ENGINE=upstream/,
  ],
]
test.for(wrong)('%s is refused by name, and never shows the key', ([, settings, message]) => {
  expect(() => loadConfig({ ...upstream, ...settings })).toThrow(message)
  expect(() => loadConfig({ ...upstream, ...settings })).not.toThrow(/se\ncret|u:p/)
})
