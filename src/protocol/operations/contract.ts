import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from '../../errors.ts'

/** The half of an operation that its callers see. Validation, types, OpenAPI and the panel's client derive from it. */
export type Contract = {
  readonly method: 'GET' | 'POST'
  /** `:name` marks a parameter of the path; `params` describes it. */
  readonly path: `/${string}`
  readonly params?: TObject
  /** Strings and integers; the service turns the text of an integer into a number before it validates. */
  readonly query?: TObject
  readonly headers?: TObject
  readonly body?: TObject
  /** The replies that are not errors, by status. */
  readonly replies: Readonly<Record<number, ReplyContract>>
}

/** An operation of the public API, with the words of its reference. */
export type DocumentedContract = Contract & {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly replies: Readonly<Record<number, ReplyContract & { readonly description: string }>>
  /** Errors other than those of every operation, every key check and every body. */
  readonly errors: readonly ErrorCode[]
}

type ReplyContract = {
  readonly description?: string
  /** Schemas by media type: of the body, or of each event of an event stream. */
  readonly content: Readonly<Record<string, TSchema>>
  /** Names of the headers that not every reply has. */
  readonly headers?: readonly string[]
}

/** Returns the contract itself, checked and with its literal types. */
export function contract<const C extends Contract>(value: C): C {
  return value
}

/** Returns the contract itself, which the reference must be able to describe. */
export function documented<const C extends DocumentedContract>(value: C): C {
  return value
}

/** The one reply of an operation that answers with JSON and status 200. */
export function json<S extends TSchema>(schema: S) {
  return { 200: { content: { 'application/json': schema } } } as const
}

type Schema<C, Part extends string> =
  C extends Readonly<Record<Part, infer S extends TSchema>> ? Static<S> : undefined

export type ParamsOf<C> = Schema<C, 'params'>
export type QueryOf<C> = Schema<C, 'query'>
export type BodyOf<C> = Schema<C, 'body'>

/** The JSON body of the reply with status 200. */
export type ReplyOf<C> = C extends {
  readonly replies: { 200: { content: { 'application/json': infer S extends TSchema } } }
}
  ? Static<S>
  : never

/** The headers that a handler may set. */
export type HeaderOf<C extends Contract> = C['replies'][keyof C['replies']] extends infer R
  ? R extends { readonly headers: readonly (infer Name extends string)[] }
    ? Name
    : never
  : never

/** Contracts by `METHOD /path`. */
export type ByName<C extends Contract> = { [One in C as `${One['method']} ${One['path']}`]: One }
