import type { CampaignSettings } from './campaign.ts'

/**
 * Splits the requests between two services. The scripted engine costs nothing, so that most requests try the HTTP
 * process. It compiles schemas in that process, so schemas, patterns and tools are for the embedded engine with the
 * bundled model, like prompts and special tokens.
 */
export function campaignsOf(count: number, seed: number): CampaignSettings[] {
  const ofEngine = Math.ceil(count * 0.3)
  return [
    {
      name: 'front',
      environment: { PIPIT_ENGINE: 'scripted' },
      mix: { 'chat-mutation': 55, 'raw-bytes': 20, headers: 20, prompts: 5 },
      count: count - ofEngine,
      seed,
      intervalMs: 10,
    },
    {
      name: 'engine',
      environment: {},
      mix: { schemas: 35, patterns: 20, tools: 15, prompts: 15, 'special-tokens': 15 },
      count: ofEngine,
      seed,
      intervalMs: 20,
    },
  ]
}
