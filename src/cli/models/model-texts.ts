import { loadConfig } from '../../config.ts'
import { formatBytes } from '../../engine/format-bytes.ts'
import { catalogue, catalogueDate, type CatalogueEntry } from '../../models/catalogue.ts'
import { estimateSpeed, readFigures } from '../../models/bench-figures.ts'
import { GgufError, readGgufHeader } from '../../models/gguf-header.ts'
import { memoryNeeds } from '../../models/memory-needs.ts'
import { commandLine } from '../../paths.ts'
import {
  bundledName,
  bytesOf,
  missingFrom,
  modelPathOf,
  type PulledModel,
} from '../../models/store.ts'
import { alignColumns, timeText } from '../table.ts'

/** Returns the tables of `models list`: the pulled models, and the models that can be pulled. */
export function listText(pulled: readonly PulledModel[], used: string | undefined): string {
  const rows = pulled.map((model) => [
    model.name === used ? '*' : ' ',
    model.name,
    formatBytes(bytesOf(model)),
    model.quantisation ?? '',
    model.licence ?? '',
    timeText(model.pulledMs),
  ])
  const bundled = [used === undefined ? '*' : ' ', bundledName, '', '', '', 'comes with Pipit']
  const head = ['', 'PULLED', 'SIZE', 'QUANTISATION', 'LICENCE', 'SINCE']
  const others = catalogue.map(({ name, parameters, licence, exampleFile, goodAt }) => [
    name,
    parameters,
    licence,
    exampleFile,
    goodAt,
  ])
  const catalogueHead = ['TO PULL', 'PARAMETERS', 'LICENCE', 'FOR EXAMPLE', 'GOOD AT']
  return [
    alignColumns([head, bundled, ...rows]),
    '',
    alignColumns([catalogueHead, ...others]),
    '',
    `* in use. Facts about models to pull are as of ${catalogueDate}; hf:owner/name pulls any other model.`,
  ].join('\n')
}

/** Returns the text of `models show` for a catalogue model that has not been pulled. */
export function entryText(entry: CatalogueEntry): string {
  return lines([
    [entry.title, ''],
    ['  repository', entry.repo],
    ['  parameters', entry.parameters],
    ['  licence', entry.licence],
    ['  context', `${entry.contextTokens} tokens`],
    ['  for example', entry.exampleFile],
    ['  good at', entry.goodAt],
    ['  as of', catalogueDate],
    ['  not pulled', `${commandLine} models pull ${entry.name}`],
  ])
}

/** Returns the text of `models show` for a pulled model, with its requirements on this machine. */
export async function pulledText(
  dataDir: string,
  model: PulledModel,
  isUsed: boolean,
): Promise<string> {
  const entry = catalogue.find(({ name }) => name === model.entry)
  const problem = missingFrom(dataDir, model)
  return lines([
    [model.name, isUsed ? '(used)' : ''],
    ['  from', model.source],
    ['  file', modelPathOf(dataDir, model)],
    ['  size', `${formatBytes(bytesOf(model))}${partsText(model)}`],
    ['  quantisation', model.quantisation],
    ['  licence', model.licence],
    ['  good at', entry?.goodAt],
    ['  speed here', speedText(dataDir, model)],
    ...(problem === undefined
      ? await headerLines(dataDir, model)
      : [['  damaged', `${problem}: pull it again`] as const]),
  ])
}

async function headerLines(dataDir: string, model: PulledModel): Promise<Line[]> {
  try {
    const header = await readGgufHeader(modelPathOf(dataDir, model))
    const { architecture, numbers, hasChatTemplate } = header
    const [context] = numbers['context_length'] ?? []
    const needs = memoryNeeds(header, bytesOf(model), loadConfig(process.env).engine)
    return [
      ['  architecture', architecture],
      ['  context', context === undefined ? undefined : `${context} tokens`],
      ['  template', hasChatTemplate ? undefined : 'none in the file: ChatML is used'],
      [
        '  memory here',
        needs.fits
          ? `${formatBytes(needs.neededBytes)} of ${formatBytes(needs.availableBytes)} available, for ` +
            `${needs.plan.slots} × ${needs.plan.contextTokens} tokens`
          : needs.reason,
      ],
    ]
  } catch (error) {
    if (error instanceof GgufError) return [['  damaged', `${error.message}: pull it again`]]
    throw error
  }
}

function speedText(dataDir: string, model: PulledModel): string {
  const figures = readFigures(dataDir, model)
  if (figures === undefined) return unmeasuredText(dataDir, model)
  const speeds = figures.tokensPerSecond.map(
    ({ callers, speed }) => `${tokensPerSecond(speed)} for ${callers}`,
  )
  return `${speeds.join(', ')} (pipit bench, ${timeText(figures.measuredMs)})`
}

function unmeasuredText(dataDir: string, model: PulledModel): string {
  const estimate = estimateSpeed(dataDir, model)
  if (estimate === undefined) return `not measured; choose the model, then run ${commandLine} bench`
  return `about ${tokensPerSecond(estimate.speed)} for 1, estimated from ${estimate.from}`
}

function tokensPerSecond(speed: number): string {
  return `${speed.toFixed(speed < 100 ? 1 : 0)} tokens/s`
}

function partsText({ files }: PulledModel): string {
  return files.length === 1 ? '' : ` in ${files.length} files`
}

type Line = readonly [title: string, text: string | undefined]

function lines(all: readonly Line[]): string {
  return all
    .filter((line): line is readonly [string, string] => line[1] !== undefined)
    .map(([title, text]) =>
      title.startsWith(' ') ? `${title.padEnd(16)}${text}` : `${title} ${text}`.trimEnd(),
    )
    .join('\n')
}
