import {
  checkpointBytesMax,
  contextTokensDefaultMax,
  contextTokensLoweredMin,
  contextTokensMin,
  memoryReserveBytes,
  slotsDefault,
} from '../../../../limits.ts'
import { formatBytes } from '../../../format-bytes.ts'
import type { KvType } from '../../../engine-settings.ts'
import { SettingsError } from './settings-error.ts'

/** The operator's settings; `planMemory` chooses those that are undefined. */
export type WantedPlan = {
  readonly slots: number | undefined
  /** At most the context that the model was trained for. */
  readonly contextTokens: number | undefined
  /** Maximum number of tokens in all stored copies of KV streams whose slot went to another generation. */
  readonly cachedTokens: number | undefined
  readonly kvType: KvType
}

export type MemoryFacts = {
  readonly availableBytes: number
  readonly modelBytes: number
  /** Numbers in the KV cache for one token: the keys and values of all layers. */
  readonly kvWidth: number
  /** State of the recurrent layers for each slot, as if all layers were recurrent. */
  readonly stateBytes: number
  readonly trainedContextTokens: number
}

export type MemoryPlan = {
  readonly slots: number
  readonly contextTokens: number
  /** Size of the slots' KV cache. Excludes the cached tokens, whose memory is allocated when needed. */
  readonly kvBytes: number
  readonly cachedTokens: number
  /** Memory for checkpoints of models with a recurrent state or a sliding window. */
  readonly checkpointBytes: number
}

/** q8_0 stores blocks of 32 numbers of one byte with a scale of two bytes. */
const bytesPerNumber: Readonly<Record<KvType, number>> = { f16: 2, q8_0: 34 / 32 }
/** llama.cpp rounds the cells of a slot, one for each token, up to a multiple of this number. */
const cellsStep = 256

/**
 * Returns the defaults if they fit; otherwise shortens the context first, then takes fewer slots.
 * Never changes settings of the operator.
 * @throws SettingsError with the calculation, when even the smallest plan does not fit
 */
export function planMemory(wanted: WantedPlan, facts: MemoryFacts): MemoryPlan {
  const contextMax =
    wanted.contextTokens ?? Math.min(facts.trainedContextTokens, contextTokensDefaultMax)
  const contextMin = wanted.contextTokens ?? Math.min(contextMax, contextTokensLoweredMin)
  const slotsMin = wanted.slots ?? 1
  for (let slots = wanted.slots ?? slotsDefault; slots >= slotsMin; slots--) {
    const contextTokens = Math.min(contextMax, contextThatFits(slots, wanted, facts))
    if (contextTokens < contextMin) continue
    const kvBytes = slots * cellsOf(contextTokens) * tokenBytes(wanted, facts)
    const leftBytes = bytesForKv(slots, wanted, facts) - kvBytes
    const halfOfRest = leftBytes / 2 / tokenBytes(wanted, facts)
    const cachedTokens =
      wanted.cachedTokens ?? Math.floor(Math.min((slots * contextTokens) / 4, halfOfRest))
    const cachedBytes = cachedTokens * tokenBytes(wanted, facts)
    // `leftBytes` already excludes cached tokens that the operator has set.
    const restBytes = wanted.cachedTokens === undefined ? leftBytes - cachedBytes : leftBytes
    const checkpointBytes = Math.floor(Math.min(restBytes / 2, checkpointBytesMax))
    return { slots, contextTokens, kvBytes, cachedTokens, checkpointBytes }
  }
  throw new SettingsError(refusal(slotsMin, contextMin, wanted, facts))
}

/**
 * Returns the context tokens that fit into each slot; negative if everything else is too large.
 */
function contextThatFits(slots: number, wanted: WantedPlan, facts: MemoryFacts): number {
  const stepBytes = slots * cellsStep * tokenBytes(wanted, facts)
  return Math.floor(bytesForKv(slots, wanted, facts) / stepBytes) * cellsStep
}

function bytesForKv(slots: number, wanted: WantedPlan, facts: MemoryFacts): number {
  const cachedBytes = (wanted.cachedTokens ?? 0) * tokenBytes(wanted, facts)
  const otherBytes = facts.modelBytes + slots * facts.stateBytes + memoryReserveBytes
  return facts.availableBytes - otherBytes - cachedBytes
}

function tokenBytes({ kvType }: WantedPlan, { kvWidth }: MemoryFacts): number {
  return kvWidth * bytesPerNumber[kvType]
}

function cellsOf(contextTokens: number): number {
  return Math.ceil(contextTokens / cellsStep) * cellsStep
}

/** Returns the error text for the smallest allowed plan. */
function refusal(
  slots: number,
  contextTokens: number,
  wanted: WantedPlan,
  facts: MemoryFacts,
): string {
  const { availableBytes, modelBytes } = facts
  const stateBytes = slots * facts.stateBytes
  const kvBytes = slots * cellsOf(contextTokens) * tokenBytes(wanted, facts)
  const cachedBytes = (wanted.cachedTokens ?? 0) * tokenBytes(wanted, facts)
  const sum =
    `model ${formatBytes(modelBytes)} + KV cache ${slots} ${slots === 1 ? 'slot' : 'slots'} × ` +
    `${cellsOf(contextTokens)} tokens × ${formatBytes(tokenBytes(wanted, facts))} = ` +
    `${formatBytes(kvBytes)} + ` +
    (stateBytes > 0 ? `${formatBytes(stateBytes)} of recurrent state + ` : '') +
    (cachedBytes > 0 ? `${formatBytes(cachedBytes)} for cached tokens + ` : '') +
    `${formatBytes(memoryReserveBytes)} of working memory`
  const neededBytes = modelBytes + kvBytes + stateBytes + cachedBytes + memoryReserveBytes
  // Rounded away from each other, so that two close numbers do not look equal.
  return (
    `The configuration needs ${formatBytes(neededBytes, Math.ceil)} (${sum}), and ` +
    `${formatBytes(availableBytes, Math.floor)} are available: ` +
    `${remedy(slots, contextTokens, wanted, facts)}.`
  )
}

/** Names only the settings whose change can help. */
function remedy(
  slots: number,
  contextTokens: number,
  { kvType, cachedTokens = 0 }: WantedPlan,
  facts: MemoryFacts,
): string {
  const least: WantedPlan = { slots: 1, contextTokens, cachedTokens: 0, kvType: 'q8_0' }
  if (contextThatFits(1, least, facts) < contextTokensMin)
    return 'free memory, or choose a smaller PIPIT_MODEL'
  const lowered = [
    ...(slots > 1 ? ['PIPIT_SLOTS'] : []),
    ...(contextTokens > contextTokensMin ? ['PIPIT_CONTEXT_TOKENS'] : []),
    ...(cachedTokens > 0 ? ['PIPIT_CACHED_TOKENS'] : []),
  ]
  return [
    ...(lowered.length > 0 ? [`lower ${lowered.join(' or ')}`] : []),
    ...(kvType === 'f16' ? ['set PIPIT_KV_TYPE=q8_0'] : []),
  ].join(', or ')
}
