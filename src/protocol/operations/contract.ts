import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from '../../errors.ts'

/** The part of an operation that its callers see. Validation, types, OpenAPI and the panel's client derive from it. */
export type Contract = {
  readonly method: 'GET' | 'POST'
  /** `:name` marks a parameter of the path; `params` describes it. */
  readonly path: `/${string}`
  readonly params?: TObject
  /** Strings and integers. The service converts integers from text before it validates. */
  readonly query?: TObject
  readonly headers?: TObject
  readonly body?: TObject
  /** Responses by HTTP status, without errors. */
  readonly replies: Readonly<Record<number, ReplyContract>>
}

/** A contract of the public API, with the texts of its reference. */
export type DocumentedContract = Contract & {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly replies: Readonly<Record<number, ReplyContract & { readonly description: string }>>
  /** Errors specific to this operation. Those common to all operations, key checks or bodies are not listed here. */
  readonly errors: readonly ErrorCode[]
}

type ReplyContract = {
  readonly description?: string
  /** Schemas by media type, for the body or for each event of an event stream. */
  readonly content: Readonly<Record<string, TSchema>>
  /** Names of the headers specific to this response. Those common to all responses are not listed here. */
  readonly headers?: readonly string[]
}

/** Returns the contract unchanged; the compiler checks it and keeps its literal types. */
export function contract<const C extends Contract>(value: C): C {
  return value
}

/** Returns the contract unchanged; the compiler checks that it has the texts of the reference. */
export function documented<const C extends DocumentedContract>(value: C): C {
  return value
}

/** Builds `replies` for an operation whose only response is JSON with status 200. */
export function json<S extends TSchema>(schema: S) {
  return { 200: { content: { 'application/json': schema } } } as const
}

type Schema<C, Part extends string> =
  C extends Readonly<Record<Part, infer S extends TSchema>> ? Static<S> : undefined

export type ParamsOf<C> = Schema<C, 'params'>
export type QueryOf<C> = Schema<C, 'query'>
export type BodyOf<C> = Schema<C, 'body'>

/** The JSON body of the response with status 200. */
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
