import type { CampaignSettings } from './campaign.ts'

/**
 * Splits the requests between two services. The scripted engine is cheap, so most requests go to it and test the HTTP
 * process. It would compile schemas in that process, so schemas, patterns and tools go to the embedded engine with the
 * bundled model. Most prompts and all special tokens go there too.
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
