import { statSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { loadDataDir } from '../../config.ts'
import { availableMemory } from '../../engine/embedded/child/model/available-memory.ts'
import { sha256OfFile } from '../../engine/embedded/child/model/model-file.ts'
import { formatBytes } from '../../engine/format-bytes.ts'
import { StartError } from '../../errors.ts'
import { catalogue, findEntry } from '../../models/catalogue.ts'
import { openHub } from '../../models/hub/open-hub.ts'
import { discardPartialPull, listPartialPulls } from '../../models/partial-pulls.ts'
import { pullModel } from '../../models/pull.ts'
import { commandLine } from '../../paths.ts'
import { parseReference } from '../../models/reference.ts'
import {
  bundledName,
  findPulled,
  folderOf,
  listPulled,
  missingFrom,
  type PulledModel,
  readPulled,
  removePulled,
} from '../../models/store.ts'
import { readChoice } from '../../models/used-model.ts'
import { codeOf } from '../../storage/storage-fault.ts'
import { examples } from '../examples.ts'
import { entryText, listText, pulledText } from '../models/model-texts.ts'
import { PullProgress } from '../models/pull-progress.ts'
import { switchModel } from '../models/switch-model.ts'
import { listenForStop } from '../stop-signals.ts'

/** The `models` commands, which work with or without a running service. */
export function modelsCommand(): Command {
  return new Command('models')
    .description('download models and choose the one to serve')
    .summary('download models and choose one')
    .addHelpText(
      'after',
      examples('models list', 'models pull smollm2-135m', 'models use smollm2-135m'),
    )
    .addCommand(pullCommand())
    .addCommand(listCommand())
    .addCommand(useCommand())
    .addCommand(showCommand())
    .addCommand(verifyCommand())
    .addCommand(removeCommand())
}

type PullArguments = { name?: string; sha256?: string }

function pullCommand(): Command {
  return new Command('pull')
    .description('download a model; an interrupted download goes on where it ended')
    .argument(
      '<model>',
      'a name of `models list`, hf:owner/name, or the URL of a GGUF file; the first two take :Q4_K_M or :file.gguf',
    )
    .option('--name <name>', 'name for the model instead of the one that follows from its origin')
    .option('--sha256 <hex>', 'checksum that the file of a URL must have', parseSha256)
    .addHelpText(
      'after',
      '\nExit code: 0 if it is pulled, 1 if not, 130 after Ctrl-C, 143 after SIGTERM.',
    )
    .action(pull)
}

/** Warns root in another user's directory, whose service could not read what root writes. */
function warnRoot(dataDir: string): void {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid ?? 0
  if (process.getuid?.() !== 0 || owner === 0) return
  process.stderr.write(
    `${dataDir} belongs to the user with the id ${owner}. Run this as that user, unless the service runs as root.\n`,
  )
}

async function pull(text: string, { name, sha256 }: PullArguments): Promise<void> {
  const reference = parseReference(text)
  if (sha256 !== undefined && reference.kind !== 'url')
    throw new StartError(
      '--sha256 is for the URL of a file. The hub names the checksums of its own.',
    )
  const hub = openHub(process.env)
  const dataDir = loadDataDir(process.env)
  warnRoot(dataDir)
  const stopping = listenForStop()
  const listener = new PullProgress(process.stderr)
  try {
    const { model, wasThere } = await pullModel(hub, reference, {
      dataDir,
      availableBytes: availableMemory(),
      name,
      sha256,
      listener,
      signal: stopping.signal,
    }).finally(() => listener.end())
    console.log(
      wasThere
        ? `${model.name} is already pulled.`
        : `Pulled ${model.name}. ${model.files.map((file) => `SHA-256 ${file.sha256}`).join(', ')}`,
    )
    console.log(`To serve it: ${commandLine} models use ${model.name}`)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    process.stderr.write('Stopped. Run the same command again to go on.\n')
    process.exitCode = stopping.exitCode
  } finally {
    hub.http.close()
  }
}

function listCommand(): Command {
  return new Command('list')
    .description('list the pulled models, and those that can be pulled by name')
    .option('--json', 'print {"used", "pulled", "catalogue"} as JSON')
    .action(({ json }: { json?: true }) => {
      const dataDir = loadDataDir(process.env)
      const pulled = listPulled(dataDir)
      const used = readChoice(dataDir).name
      console.log(
        json
          ? JSON.stringify({ used: used ?? bundledName, pulled, catalogue })
          : listText(pulled, used),
      )
      if (json) return
      for (const { name, doneBytes } of listPartialPulls(dataDir))
        console.log(`Unfinished: ${name}, ${formatBytes(doneBytes)} of it are on the disk.`)
    })
}

function useCommand(): Command {
  return new Command('use')
    .description('choose the model to serve, now if the service runs; `default` is the bundled one')
    .argument('<name>', 'name of a pulled model, or default')
    .option('--next-start', 'a running service keeps its model until it is restarted')
    .action(async (name: string, { nextStart = false }: { nextStart?: boolean }) => {
      const dataDir = loadDataDir(process.env)
      const model = name.toLowerCase() === bundledName ? undefined : findPulled(dataDir, name)
      const problem = model && missingFrom(dataDir, model)
      if (model !== undefined && problem !== undefined)
        throw new StartError(`${model.name} is damaged: ${problem}. Pull it again.`)
      warnRoot(dataDir)
      await switchModel(dataDir, model?.name, nextStart)
      const overriding = overridingVariable(process.env)
      if (overriding !== undefined)
        console.log(
          `${overriding} is set in this shell. It overrides this choice for any service started with it.`,
        )
    })
}

/** Returns the variable because of which a service started in this environment uses no choice; undefined if none does. */
function overridingVariable(environment: NodeJS.ProcessEnv): string | undefined {
  if (environment['PIPIT_MODEL']?.trim()) return 'PIPIT_MODEL'
  const engine = environment['PIPIT_ENGINE']?.trim()
  return engine && engine !== 'embedded' ? 'PIPIT_ENGINE' : undefined
}

function showCommand(): Command {
  return new Command('show')
    .description('show a model, and what it needs on this machine')
    .argument('<name>', 'name of a model')
    .action(async (name: string) => {
      const dataDir = loadDataDir(process.env)
      const entry = findEntry(name)
      const isPulled = listPulled(dataDir).some(
        (model) => model.entry === entry?.name || model.name === name.toLowerCase(),
      )
      if (entry !== undefined && !isPulled) return console.log(entryText(entry))
      const model = findPulled(dataDir, name)
      console.log(await pulledText(dataDir, model, readChoice(dataDir).name === model.name))
    })
}

function verifyCommand(): Command {
  return new Command('verify')
    .description('compare the files of pulled models with their checksums')
    .argument('[name]', 'name of a pulled model; all by default')
    .action(async (name: string | undefined) => {
      const dataDir = loadDataDir(process.env)
      const models = name === undefined ? listPulled(dataDir) : [findPulled(dataDir, name)]
      if (models.length === 0) console.log('No model is pulled.')
      for (const model of models) {
        const problem = await damageOf(dataDir, model)
        console.log(`${model.name}: ${problem ?? 'ok'}`)
        if (problem !== undefined) process.exitCode = 1
      }
    })
}

async function damageOf(dataDir: string, model: PulledModel): Promise<string | undefined> {
  const missing = missingFrom(dataDir, model)
  if (missing !== undefined) return `${missing}; pull it again`
  for (const { name, sha256 } of model.files) {
    let actual: string
    try {
      actual = await sha256OfFile(`${folderOf(dataDir, model.name)}/${name}`)
    } catch (error) {
      return `${name} cannot be read (${codeOf(error)}); pull it again`
    }
    if (actual !== sha256)
      return `${name} has the SHA-256 ${actual} and should have ${sha256}; pull it again`
  }
  return undefined
}

function removeCommand(): Command {
  return new Command('remove')
    .description('delete a pulled model or an unfinished pull')
    .argument('<name>', 'name of a pulled model, or of an unfinished pull')
    .action(async (name: string) => {
      const dataDir = loadDataDir(process.env)
      const unfinished = name.toLowerCase()
      const isUnfinished = listPartialPulls(dataDir).some((pull) => pull.name === unfinished)
      if (isUnfinished && readPulled(dataDir, unfinished) === undefined) {
        await discardPartialPull(dataDir, unfinished)
        console.log(`Removed what was downloaded of ${unfinished}.`)
        return
      }
      const model = findPulled(dataDir, name)
      if (readChoice(dataDir).name === model.name)
        throw new StartError(
          `${model.name} is the model to serve. Choose another one with \`${commandLine} models use\` first, such as default.`,
        )
      await removePulled(dataDir, model.name)
      console.log(`Removed ${model.name}.`)
    })
}

function parseSha256(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new InvalidArgumentError('Enter the 64 hexadecimal digits that `sha256sum FILE` prints.')
}
