import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../../errors.ts'
import { readSwitchStatus } from '../../models/switching/switch-status.ts'
import { switchLookMs, switchWaitMaxMs } from '../../models/models-limits.ts'
import { findRunningService } from '../../storage/service-file.ts'
import { readChoice, restoreEarlier, type Wish, writeChoice } from '../../models/used-model.ts'

/**
 * Stores the choice of a model. If a service is running, waits until it serves that model.
 * @throws StartError if the service does not serve the model; the earlier choice is then restored
 */
export async function switchModel(
  dataDir: string,
  name: string | undefined,
  isForNextStart: boolean,
): Promise<void> {
  const shown = textOf(name)
  const earlier = choiceBefore(dataDir)
  const runs = readSwitchStatus(dataDir) !== undefined
  const id = await writeChoice(dataDir, name, isForNextStart, earlier)
  if (!runs && findRunningService(dataDir) !== undefined)
    return console.log(
      'The running service does not use this choice, because its PIPIT_ENGINE or PIPIT_MODEL overrides it. ' +
        `A start without them serves ${shown}.`,
    )
  if (isForNextStart || !runs) return console.log(`The next start serves ${shown}.`)
  process.stderr.write('the running service loads the model …\n')
  const outcome = await awaitSwitch(dataDir, id)
  if (outcome === 'ready') return console.log(`The running service serves ${shown} now.`)
  // Changes nothing if the service has restored it, or if another command has chosen a model in the meantime.
  await restoreEarlier(dataDir, id)
  throw new StartError(
    outcome === 'stopped'
      ? `The service stopped before it served ${shown}. The next start serves ${textOf(readChoice(dataDir).name)}. To choose ${shown} for it, add --next-start.`
      : `${outcome.failure} The running service keeps the model that it had. To choose this one for the next start, add --next-start.`,
  )
}

function textOf(name: string | undefined): string {
  return name ?? 'the bundled model'
}

/** Result of a switch. `failure` is the service's message if it cannot load the model. */
type Outcome = 'ready' | 'stopped' | { readonly failure: string }

async function awaitSwitch(dataDir: string, id: string): Promise<Outcome> {
  const endMs = Date.now() + switchWaitMaxMs
  while (Date.now() < endMs) {
    await delay(switchLookMs)
    const status = readSwitchStatus(dataDir)
    if (status === undefined) return 'stopped'
    if (status.choiceId !== id) {
      if (readChoice(dataDir).id === id) continue
      return { failure: 'Another command has chosen a model meanwhile.' }
    }
    if (status.state === 'ready') return 'ready'
    if (status.state === 'failed')
      return { failure: status.message ?? 'The model cannot be loaded.' }
  }
  return { failure: 'The service did not answer in time.' }
}

/**
 * Returns the choice to return to if a new one fails. Leaves out one that the running service does not serve yet, such
 * as that of a command which was interrupted: it may fail too. Replaces a damaged one with the bundled model at the next
 * start.
 */
function choiceBefore(dataDir: string): Wish {
  try {
    const { id, earlier, name, isForNextStart } = readChoice(dataDir)
    const status = readSwitchStatus(dataDir)
    const isServed = status?.choiceId === id && status.state === 'ready'
    const present = { name, isForNextStart }
    return status === undefined || isForNextStart || isServed ? present : (earlier ?? present)
  } catch (error) {
    if (error instanceof StartError) return { name: undefined, isForNextStart: true }
    throw error
  }
}
