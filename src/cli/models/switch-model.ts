import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../../errors.ts'
import { readSwitchStatus } from '../../models/switching/switch-status.ts'
import { switchLookMs, switchWaitMaxMs } from '../../models/models-limits.ts'
import { type Choice, readChoice, writeChoice } from '../../models/used-model.ts'

/**
 * Stores the choice of a model. If a service is running, waits until it serves that model.
 * @throws StartError if the service cannot load the model; the earlier choice is then restored
 */
export async function switchModel(
  dataDir: string,
  name: string | undefined,
  isForNextStart: boolean,
): Promise<void> {
  const shown = name ?? 'the bundled model'
  const earlier = choiceBefore(dataDir)
  const runs = readSwitchStatus(dataDir) !== undefined
  const id = await writeChoice(dataDir, name, isForNextStart)
  if (isForNextStart || !runs) return console.log(`The next start serves ${shown}.`)
  process.stderr.write('the running service loads the model …\n')
  const outcome = await awaitSwitch(dataDir, id)
  if (outcome === 'ready') return console.log(`The running service serves ${shown} now.`)
  if (outcome === 'stopped')
    return console.log(`The service has stopped. The next start serves ${shown}.`)
  // Another command may have chosen a model in the meantime.
  if (readChoice(dataDir).id === id)
    await writeChoice(dataDir, earlier.name, earlier.isForNextStart)
  throw new StartError(
    `${outcome.failure} The running service keeps the model that it had. To choose this one for the next start, add --next-start.`,
  )
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

/** Returns the earlier choice. Replaces a damaged one with the bundled model at the next start. */
function choiceBefore(dataDir: string): Pick<Choice, 'name' | 'isForNextStart'> {
  try {
    return readChoice(dataDir)
  } catch (error) {
    if (error instanceof StartError) return { name: undefined, isForNextStart: true }
    throw error
  }
}
