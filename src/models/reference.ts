import { StartError } from '../errors.ts'
import { type CatalogueEntry, catalogue, findEntry, nearestNames } from './catalogue.ts'

/** Parsed argument of `pull`. `wanted` is a quantisation such as Q4_K_M, or a file of the repository. */
export type Reference =
  | {
      readonly kind: 'hub'
      readonly repo: string
      readonly wanted: string | undefined
      readonly entry: CatalogueEntry | undefined
    }
  | { readonly kind: 'url'; readonly url: string }

/** @throws StartError, with the nearest names if the name is unknown */
export function parseReference(text: string): Reference {
  if (/^https?:\/\//i.test(text)) return parseUrl(text)
  if (text.startsWith('hf:')) return parseHub(text)
  const [name = '', wanted, ...rest] = text.split(':')
  const entry = findEntry(name)
  if (entry === undefined || rest.length > 0) throw unknownName(name)
  return { kind: 'hub', repo: entry.repo, wanted: wanted || undefined, entry }
}

/** Returns a text that `parseReference` reads as the same model with the chosen quantisation. */
export function textOfReference(reference: Reference, quantisation: string | undefined): string {
  if (reference.kind === 'url') return reference.url
  const { repo, entry, wanted = quantisation } = reference
  return [entry?.name ?? `hf:${repo}`, ...(wanted === undefined ? [] : [wanted])].join(':')
}

/** Returns a reference or a source as it is shown: without the query of a URL, which may be a signature. */
export function withoutQuery(text: string): string {
  return /^https?:/i.test(text) ? text.replace(/[?#].*$/s, '') : text
}

function parseHub(text: string): Reference {
  const [, repo, wanted] = /^hf:([\w][\w.-]*\/[\w][\w.-]*)(?::([\w][\w./+ -]*))?$/.exec(text) ?? []
  if (repo === undefined || wanted?.split('/').includes('..') === true)
    throw new StartError(
      `${JSON.stringify(text)} is not a repository. Write hf:owner/name, hf:owner/name:Q4_K_M or hf:owner/name:file.gguf.`,
    )
  return { kind: 'hub', repo, wanted, entry: undefined }
}

function parseUrl(text: string): Reference {
  const url = URL.parse(text)
  if (url === null || !url.pathname.endsWith('.gguf'))
    throw new StartError(
      `${JSON.stringify(text)} is not the URL of a GGUF file. Write the URL of the file itself, which ends with .gguf.`,
    )
  if (url.username !== '')
    throw new StartError('A URL must not hold a name or a password. Leave them out.')
  return { kind: 'url', url: url.href }
}

function unknownName(name: string): StartError {
  const near = nearestNames(
    name,
    catalogue.map((entry) => entry.name),
  )
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`
  return new StartError(
    `There is no model ${JSON.stringify(name)} in the list.${hint} hf:owner/name pulls any other repository.`,
  )
}
