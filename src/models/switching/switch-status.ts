import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { serviceSilentMs } from '../models-limits.ts'
import { modelsFolder } from '../store.ts'

/** The running service's answer to the latest choice; `models use` waits for it. */
export type SwitchStatus = {
  /** Id of the choice that this status answers. */
  readonly choiceId: string
  readonly state: 'loading' | 'ready' | 'failed'
  /** Reason, in one sentence, why the choice failed. */
  readonly message?: string
}

/** File in the models folder. Its modification time shows that the service is running. */
export const statusName = 'serving.json'

/** Returns the status of the running service; undefined if no running service accepts choices. */
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
