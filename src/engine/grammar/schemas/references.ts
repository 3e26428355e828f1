import type { Budget } from '../grammar.ts'
import type { Located } from './facts.ts'
import { invalid, join, refused } from './schema-errors.ts'
import { isObject } from './keyword-values.ts'

/** A schema with its own URI, and the named anchors in it. */
type Resource = Located & { readonly uri: string; readonly anchors: Map<string, Located> }

const rootUri = 'schema://root/'

/** Keywords whose values are not schemas. */
const plainValues = new Set(['enum', 'const', 'default', 'examples', 'example'])

/** Finds the schemas that `$ref` names: by pointer, by anchor, or by the `$id` of a schema in the same text. */
export class References {
  readonly #root: unknown
  readonly #budget: Budget
  readonly #resources = new Map<string, Resource>()
  readonly #resourceOf = new WeakMap<object, Resource>()
  /** Drafts up to 4 use `id` instead of `$id`. */
  readonly #idKeyword: 'id' | '$id'
  #document: Resource | undefined

  constructor(root: unknown, budget: Budget) {
    this.#root = root
    this.#budget = budget
    const draft = isObject(root) ? root['$schema'] : undefined
    this.#idKeyword = typeof draft === 'string' && /draft-0[34]/.test(draft) ? 'id' : '$id'
  }

  /** True if the schema contains schemas with their own URI. */
  get hasResources(): boolean {
    this.#read()
    return this.#resources.size > 1
  }

  /** @throws SchemaRefused */
  resolve(reference: unknown, from: object, path: string): Located {
    if (typeof reference !== 'string') throw invalid(path, 'it must be a string')
    const document = this.#read()
    const [uri = '', fragment = ''] = reference.split('#')
    const base = this.#resourceOf.get(from) ?? document
    const resource = uri === '' ? base : this.#resources.get(absolute(uri, base.uri))
    if (resource === undefined)
      throw refused(path, 'is supported for places in the same schema only')
    const found = this.#find(resource, fragment, path) ?? this.#find(document, fragment, path)
    if (found === undefined) throw invalid(path, 'it points to nothing')
    return found
  }

  #find(resource: Resource, fragment: string, path: string): Located | undefined {
    if (fragment === '') return resource
    if (!fragment.startsWith('/')) return resource.anchors.get(fragment)
    let { schema, path: at } = resource
    for (const part of fragment.split('/').slice(1)) {
      const name = decodePointer(part, path)
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, name))
        return undefined
      schema = Reflect.get(schema, name)
      at = join(at, name)
    }
    return { schema, path: at }
  }

  /** Indexes the URIs and anchors of the whole schema on first use. */
  #read(): Resource {
    if (this.#document !== undefined) return this.#document
    const id = isObject(this.#root) ? this.#root[this.#idKeyword] : undefined
    const uri = typeof id === 'string' ? absolute(id, rootUri) : rootUri
    const document = { schema: this.#root, path: '', uri, anchors: new Map<string, Located>() }
    this.#document = document
    this.#resources.set(uri, document)
    this.#walk(this.#root, '', document)
    return document
  }

  #walk(value: unknown, path: string, around: Resource): void {
    if (typeof value !== 'object' || value === null) return
    this.#budget.spend(1)
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.#walk(item, join(path, index), around)
      return
    }
    const resource = this.#resourceAt(value, path, around)
    this.#resourceOf.set(value, resource)
    for (const [name, member] of Object.entries(value)) {
      if (!plainValues.has(name)) this.#walk(member, join(path, name), resource)
    }
  }

  #resourceAt(schema: object, path: string, around: Resource): Resource {
    const {
      $anchor: anchor,
      $dynamicAnchor: dynamicAnchor,
      [this.#idKeyword]: id,
    } = {
      ...schema,
    } as Record<string, unknown>
    let resource = around
    const anchors = [anchor, dynamicAnchor]
    if (typeof id === 'string' && id.startsWith('#')) anchors.push(id.slice(1))
    else if (typeof id === 'string' && path !== '') {
      resource = { schema, path, uri: absolute(id, around.uri), anchors: new Map() }
      if (!this.#resources.has(resource.uri)) this.#resources.set(resource.uri, resource)
    }
    for (const name of anchors) {
      if (typeof name === 'string' && !resource.anchors.has(name))
        resource.anchors.set(name, { schema, path })
    }
    return resource
  }
}

/** Resolves a URI against its base, and drops the fragment. */
function absolute(uri: string, base: string): string {
  const plain = uri.split('#')[0] ?? ''
  return URL.canParse(plain, base) ? new URL(plain, base).href : plain
}

function decodePointer(part: string, path: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    throw invalid(path, 'it is not a JSON pointer')
  }
}
