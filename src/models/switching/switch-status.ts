import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { serviceSilentMs } from '../models-limits.ts'
import { modelsFolder } from '../store.ts'

/** The running service's answer to the latest choice; `models use` waits for it. */
export type SwitchStatus = {
  /** Choice to which this is the answer. */
  readonly choiceId: string
  readonly state: 'loading' | 'ready' | 'failed'
  /** One sentence for a choice that failed. */
  readonly message?: string
}

/** File in the folder of the models. Its time shows that the service runs. */
export const statusName = 'serving.json'

/** Returns what the running service says; undefined if no service runs that takes choices. */
export function readSwitchStatus(dataDir: string): SwitchStatus | undefined {
  const path = join(modelsFolder(dataDir), statusName)
  try {
    if (Date.now() - statSync(path).mtimeMs > serviceSilentMs) return undefined
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isStatus(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isStatus(value: unknown): value is SwitchStatus {
  return (
    typeof value === 'object' &&
    value !== null &&
    'choiceId' in value &&
    typeof value.choiceId === 'string' &&
    'state' in value &&
    ['loading', 'ready', 'failed'].includes(String(value.state))
  )
}
