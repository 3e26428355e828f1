import type { OpenApi } from '../../../src/http/reference/openapi.ts'
import { errorCodesOf, operationsOf } from './api-document.ts'
import { guides } from './guides.ts'
import { objectOf } from './json.ts'
import { allFields, fieldsOf } from './schema-fields.ts'

export type Anchor = {
  /** The page's path. For a part of the page, `#` and its id follow: `/docs/errors#overloaded`. */
  address: string
  title: string
  group: 'Guide' | 'Error' | 'Operation' | 'Object' | 'Field'
}

/** Returns every address of the reference. Links on other sites depend on them, so a test pins them. */
export function anchorsOf(api: OpenApi): Anchor[] {
  return [
    { address: '/docs', title: 'Introduction', group: 'Guide' },
    ...guides.flatMap(({ slug, title, sections }) => [
      { address: `/docs/${slug}`, title, group: 'Guide' } as const,
      ...sections.map(
        (id) =>
          ({ address: `/docs/${slug}#${id}`, title: `${title}: ${id}`, group: 'Guide' }) as const,
      ),
    ]),
    ...errorCodesOf(api).map(
      ({ code }) => ({ address: `/docs/errors#${code}`, title: code, group: 'Error' }) as const,
    ),
    ...operationsOf(api).map(
      ({ operationId, summary, method, path }) =>
        ({
          address: `/docs/operations/${operationId}`,
          title: `${summary} (${method} ${path})`,
          group: 'Operation',
        }) as const,
    ),
    ...Object.entries(api.components.schemas).flatMap(([name, schema]) => [
      { address: `/docs/objects/${name}`, title: name, group: 'Object' } as const,
      ...allFields(fieldsOf(objectOf(schema))).map(
        ({ path }) =>
          ({
            address: `/docs/objects/${name}#${path}`,
            title: `${name}.${path}`,
            group: 'Field',
          }) as const,
      ),
    ]),
  ]
}

/**
 * Returns the current address for an anchor of the former `/docs`, which was a single page. Returns undefined for an
 * unknown anchor.
 */
export function addressOfOldAnchor(api: OpenApi, hash: string): string | undefined {
  const name = hash.replace(/^#/, '')
  if (name === 'examples' || name === 'operations' || name === 'objects') return undefined
  const wanted = name.startsWith('schema-')
    ? `/docs/objects/${name.slice('schema-'.length)}`
    : `/docs/operations/${name}`
  return anchorsOf(api).find(({ address }) => address === wanted)?.address
}
