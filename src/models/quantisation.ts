import { basename, dirname } from 'node:path'
import { formatBytes } from '../engine/format-bytes.ts'
import { StartError } from '../errors.ts'
import { memoryReserveBytes } from '../limits.ts'
import { partsMax } from './models-limits.ts'

export type RepositoryFile = {
  /** Path inside the repository. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string | undefined
}

/** The files of one model: a single file, or all parts of a split model in order. */
type Variant = {
  /** For example Q4_K_M; undefined if neither the file's name nor its folder's has one. */
  readonly quantisation: string | undefined
  readonly files: readonly RepositoryFile[]
  readonly bytes: number
}

const splitPart = /-(\d{5})-of-(\d{5})\.gguf$/i
/** Bounds every repetition, because the names come from the hub: without bounds, the time is quadratic. */
const quantisationInName =
  /(?:^|[-._])((?:UD-)?(?:I?Q\d(?:_[A-Z0-9]{1,16}){0,8}|MXFP4(?:_MOE)?|BF16|FP?16|F32))(?=[-.]|$)/gi

/**
 * Quantisations in order of preference: from the most precise that is worth its size to the smallest. Unquantised
 * floats of 16 and 32 bits come last.
 */
const preference =
  'Q8_0 Q6_K Q5_K_M Q5_K_S Q5_0 Q4_K_M MXFP4 MXFP4_MOE Q4_K_S Q4_0 IQ4_NL IQ4_XS Q3_K_L Q3_K_M IQ3_M Q3_K_S Q2_K IQ2_M F16 FP16 BF16 F32'.split(
    ' ',
  )
/** Files up to this size may use more than 4 bits, because they are still fast. */
const preciseBytesMax = 2e9
/**
 * Estimated memory beside the weights, such as the KV cache, as a share of the file's size. Used before the header is
 * known.
 */
const overheadShare = 0.1

/**
 * llama.cpp's types of three bits, with its numbers of file types and the factor by which a file grows at most in memory,
 * because the engine packs them in four bits (decision 0011).
 */
const threeBitTypes: readonly {
  readonly name: RegExp
  readonly fileTypes: readonly number[]
  readonly growth: number
}[] = [
  { name: /Q3_K/, fileTypes: [11, 12, 13], growth: 1.35 },
  { name: /IQ3_X/, fileTypes: [22, 23], growth: 1.41 },
  { name: /IQ3/, fileTypes: [26, 27], growth: 1.26 },
]

/** Returns the factor by which a file of llama.cpp's type with this number grows in memory. */
export function growthOfFileType(fileType: number | undefined): number {
  return threeBitTypes.find(({ fileTypes }) => fileTypes.includes(fileType ?? -1))?.growth ?? 1
}

/** Returns the factor by which a file with this quantisation in its name grows in memory. */
function growthOf(quantisation: string | undefined): number {
  return threeBitTypes.find(({ name }) => name.test(quantisation ?? ''))?.growth ?? 1
}

/** Groups the model files of a repository. Leaves out vision parts, importance matrices and incomplete splits. */
export function variantsOf(files: readonly RepositoryFile[]): Variant[] {
  const groups = new Map<string, RepositoryFile[]>()
  for (const file of files) {
    const name = basename(file.path)
    if (!/\.gguf$/i.test(name) || /mmproj|imatrix/i.test(name)) continue
    // A single file and a split of it are two variants.
    const variant = file.path.replace(splitPart, (_part, _index, count) => `-of-${count}.gguf`)
    const group = groups.get(variant)
    if (group === undefined) groups.set(variant, [file])
    else group.push(file)
  }
  const variants = [...groups.values()].flatMap((parts) => {
    const sorted = parts.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    const [first] = sorted
    if (first === undefined || !isComplete(sorted)) return []
    const stem = first.path.replace(splitPart, '').replace(/\.gguf$/i, '')
    const bytes = sorted.reduce((sum, file) => sum + file.bytes, 0)
    return [{ quantisation: quantisationOf(stem), files: sorted, bytes }]
  })
  // Among several files with the same quantisation, the one with the shortest path is the plain one.
  return variants.toSorted((a, b) => pathLength(a) - pathLength(b))
}

/** Returns the quantisation in a file's name, or else in that of its folder, in upper case. */
export function quantisationOf(path: string): string | undefined {
  const lastIn = (name: string) => [...name.matchAll(quantisationInName)].at(-1)?.[1]?.toUpperCase()
  return lastIn(basename(path)) ?? lastIn(basename(dirname(path)))
}

/**
 * Returns the wanted variant. If none is wanted, chooses from those that fit this machine, in this order: the most
 * precise small one above 4 bits, the most precise one of 4 bits or fewer, the most preferred one.
 * @throws StartError that says what to choose instead
 */
export function chooseVariant(
  variants: readonly Variant[],
  wanted: string | undefined,
  availableBytes: number,
): Variant {
  if (variants.length === 0)
    throw new StartError(
      'The repository has no GGUF model. Choose one whose name ends with -GGUF, which has converted files.',
    )
  if (wanted !== undefined) return wantedVariant(variants, wanted)
  const ranked = variants
    .filter((variant) => estimatedBytes(variant) <= availableBytes)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
  const fourBits = preference.indexOf('Q4_K_M')
  const sixteenBits = preference.indexOf('F16')
  const small = Math.min(preciseBytesMax, availableBytes / 2)
  const chosen =
    ranked.find((variant) => rankOf(variant) < fourBits && variant.bytes <= small) ??
    ranked.find((variant) => rankOf(variant) >= fourBits && rankOf(variant) < sixteenBits) ??
    ranked[0]
  if (chosen !== undefined) return chosen
  const least = variants.reduce((a, b) => (estimatedBytes(b) < estimatedBytes(a) ? b : a))
  throw new StartError(
    `The smallest file, ${describe(least)}, needs about ${formatBytes(estimatedBytes(least), Math.ceil)} of memory, and ` +
      `${formatBytes(availableBytes, Math.floor)} are available. Choose a smaller model, or name this one: :${wantedName(least)}.`,
  )
}

/** Estimates the least memory that a model needs to run. */
function estimatedBytes({ quantisation, bytes }: Variant): number {
  return bytes * (growthOf(quantisation) + overheadShare) + memoryReserveBytes
}

function wantedVariant(variants: readonly Variant[], wanted: string): Variant {
  const lower = wanted.toLowerCase()
  const found = variants.find(
    ({ quantisation, files }) =>
      quantisation?.toLowerCase() === lower ||
      files.some(({ path }) => [path, basename(path)].some((name) => name.toLowerCase() === lower)),
  )
  if (found !== undefined) return found
  const sorted = variants.toSorted((a, b) => rankOf(a) - rankOf(b))
  const names = [...new Set(sorted.map(wantedName))].slice(0, 30)
  throw new StartError(
    `The repository has no ${JSON.stringify(wanted)}. It has ${names.join(', ')}.`,
  )
}

function wantedName({ quantisation, files }: Variant): string {
  return quantisation ?? basename(files[0]?.path ?? '')
}

function describe(variant: Variant): string {
  return `${wantedName(variant)} of ${formatBytes(variant.bytes)}`
}

function rankOf({ quantisation = '' }: Variant): number {
  const rank = preference.indexOf(quantisation)
  return rank === -1 ? preference.length : rank
}

function pathLength({ files }: Variant): number {
  return files[0]?.path.length ?? 0
}

/** Returns true for a single file, and for parts 1 to N of N. */
function isComplete(files: readonly RepositoryFile[]): boolean {
  const parts = files.map(({ path }) => splitPart.exec(path))
  const [first] = parts
  if (files.length === 1 && first === null) return true
  const count = Number(first?.[2])
  return (
    count === files.length &&
    count <= partsMax &&
    parts.every((part, index) => Number(part?.[1]) === index + 1 && Number(part?.[2]) === count)
  )
}
