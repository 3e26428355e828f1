import { expect, test } from 'vitest'
import type { UpstreamFlavour } from '../upstream-settings.ts'
import { requireParameters } from './parameters.ts'

const options = {
  maxTokens: 1,
  sampling: { temperature: 1, topP: 1, topK: 0, minP: 0, seed: 1 },
  stop: [],
}

function check(flavour: UpstreamFlavour, thinks: boolean, effort: string): void {
  const variables = { enable_thinking: thinks, reasoning_effort: effort }
  requireParameters(flavour, { ...options, variables })
}

test.for(['openai', 'ollama'] as const)(
  '%s, which gets the effort only, is refused thinking that contradicts it',
  (flavour) => {
    const refusal = expect.objectContaining({ param: 'enable_thinking' })
    expect(() => check(flavour, false, 'high')).toThrow(refusal)
    expect(() => check(flavour, true, 'none')).toThrow(refusal)
    check(flavour, true, 'high')
    check(flavour, false, 'none')
  },
)

test('vllm gets both thinking and effort, as the request has them', () => {
  check('vllm', false, 'high')
})
