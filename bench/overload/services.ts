import { findModel } from '../engine/models.ts'
import { installLiteLlm, startLiteLlm } from '../peers/litellm.ts'
import { startLlamaServer, withoutPromptCache } from '../peers/llama-server.ts'
import { cpuMs, type Server, treeCpuMs } from '../process.ts'
import { createAccount, createKey, startPipit, type Service } from '../service.ts'
import { callersOfLoad } from './arrivals.ts'
import { readLedger } from './ledger-check.ts'
import type { IsRight, ProcessorTime } from './measure-steps.ts'

/** A service under load. */
export type LoadedService = {
  name: string
  url: string
  /** API keys of the callers; undefined where the service has none. */
  keys: (string | undefined)[]
  slots: number
  /** Reads what the service recorded. Without a ledger, every reply counts as right. */
  readLedger: () => IsRight
  readProcessorTime: () => ProcessorTime
  stop: () => Promise<void>
}

/** Number of slots of every service, and tokens per second of each slot of the scripted engine. */
export const slots = 8
export const scriptedTokensPerSecond = 20
const contextTokens = 2048

type Side = { threads: number; model: string }

/** Starts Pipit with several accounts and keys. */
export async function startLoadedPipit(
  engine: string,
  { threads, model }: Side,
  slotsOfEngine = slots,
  tokensPerSecond = scriptedTokensPerSecond,
): Promise<LoadedService> {
  const shared = { PIPIT_SLOTS: String(slotsOfEngine), PIPIT_LOG_LEVEL: 'warn' }
  const settings: Record<string, string> =
    engine === 'scripted'
      ? {
          ...shared,
          PIPIT_ENGINE: 'scripted',
          PIPIT_SCRIPTED_TOKENS_PER_SECOND: String(tokensPerSecond),
        }
      : {
          ...shared,
          PIPIT_MODEL: findModel(model).path,
          PIPIT_THREADS: String(threads),
          PIPIT_CONTEXT_TOKENS: String(contextTokens),
        }
  const service = await startPipit({ settings })
  try {
    const keys = await createKeys(service)
    const { name, url, pid, dataDir, stop } = service
    return {
      name,
      url,
      keys,
      slots: slotsOfEngine,
      readLedger: () => readLedger(dataDir),
      readProcessorTime: () => {
        const frontMs = cpuMs(pid)
        return { frontMs, engineMs: treeCpuMs(pid) - frontMs }
      },
      stop,
    }
  } catch (error) {
    await service.stop()
    throw error
  }
}

/** Creates the keys of the callers, two for each of three accounts. */
async function createKeys({ dataDir, key }: Service): Promise<(string | undefined)[]> {
  const environment = { PIPIT_DATA_DIR: dataDir }
  // The first user gets the account that already exists.
  const accounts = [undefined]
  await createAccount(environment, 'first@example.com')
  const others: (string | undefined)[] = [...accounts]
  for (const name of ['second', 'third'])
    others.push((await createAccount(environment, `${name}@example.com`)).id)
  const keys: (string | undefined)[] = [key]
  for (let index = 1; index < callersOfLoad; index += 1)
    keys.push(await createKey(environment, others[index % others.length]))
  return keys
}

export async function startLoadedLlamaServer({ threads, model }: Side): Promise<LoadedService> {
  return toLoaded(await startPeer({ threads, model }))
}

/** Starts LiteLLM in front of llama-server. */
export async function startLoadedLiteLlm({ threads, model }: Side): Promise<LoadedService> {
  const command = installLiteLlm()
  const upstream = await startPeer({ threads, model })
  try {
    const server = await startLiteLlm(command, upstream)
    const stop = async () => {
      await server.stop()
      await upstream.stop()
    }
    const readProcessorTime = () => ({
      frontMs: treeCpuMs(server.pid),
      engineMs: treeCpuMs(upstream.pid),
    })
    return { ...toLoaded(server), name: 'LiteLLM + llama-server', readProcessorTime, stop }
  } catch (error) {
    await upstream.stop()
    throw error
  }
}

function startPeer({ threads, model }: Side): Promise<Server> {
  const setup = { threads, slots, contextTokens }
  return startLlamaServer(findModel(model).path, setup, withoutPromptCache)
}

function toLoaded({ name, url, pid, key, stop }: Server): LoadedService {
  const keys = Array.from({ length: callersOfLoad }, () => key)
  const readProcessorTime = () => ({ frontMs: undefined, engineMs: treeCpuMs(pid) })
  return { name, url, keys, slots, readLedger: () => () => true, readProcessorTime, stop }
}
