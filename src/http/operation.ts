import type { FastifyInstance, FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'
import type {
  BodyOf,
  Contract,
  DocumentedContract,
  HeaderOf,
  ParamsOf,
  QueryOf,
} from '../protocol/operations/contract.ts'
import {
  type Access,
  type AccessChecks,
  accessHooks,
  type IdentityOf,
  isIdentified,
} from './access/access.ts'
import { readQuery } from './request/query.ts'
import type { ReplyServices } from './reply/event-stream.ts'
import { respond, type ResultOf } from './reply/respond.ts'

/** A request that has passed every check of its operation. */
export type InputOf<C extends Contract, A extends Access> = {
  readonly params: ParamsOf<C>
  readonly query: QueryOf<C>
  readonly body: BodyOf<C>
  readonly request: RequestFacts
  readonly reply: Pick<FastifyReply, 'raw'> & HeaderSetter<HeaderOf<C>>
} & IdentityOf<A>

export type RequestFacts = Pick<
  FastifyRequest,
  | 'id'
  | 'ip'
  | 'headers'
  | 'url'
  | 'routeOptions'
  | 'validateInput'
  | 'isRunning'
  | 'asksForStream'
  | 'namedUser'
  | 'trace'
>
/** Sets response headers, but only those that the contract names. */
export type HeaderSetter<Name extends string> = {
  header(name: Name, value: string | string[]): unknown
}

export type OperationServices = AccessChecks & ReplyServices

/** A contract with its access rule and its handler. Only `mount` sees the handler. */
export type Operation<C extends Contract = Contract, A extends Access = Access> = {
  readonly contract: C
  readonly access: A
  mount(app: FastifyInstance, services: OperationServices): void
}
type ApiAccess = Extract<Access, { auth: 'none' | 'api-key' }>
export type ApiOperation = Operation<DocumentedContract, ApiAccess>
export type PanelOperation = Operation<Contract, Exclude<Access, ApiAccess>>

type Handler<C extends Contract, A extends Access> = (
  input: InputOf<C, A>,
) => ResultOf<C> | Promise<ResultOf<C>>

/**
 * Builds an operation. `operation(contract, access)(handler)` is the only way to serve a path; docs/decisions/0012
 * gives the reasons. The handler gets input that has passed the contract's schemas and the access checks, and returns a
 * response that the contract describes. There are two calls because the compiler must know the contract before it reads
 * the handler. In one call, literals such as `'list'` in a response would widen to `string`.
 */
export function operation<const C extends Contract, const A extends Access>(
  contract: C,
  access: A,
) {
  return (handler: Handler<C, A>): Operation<C, A> => ({
    contract,
    access,
    mount: (app, services) => mount(app, services, { contract, access, handler }),
  })
}

function mount<C extends Contract, A extends Access>(
  app: FastifyInstance,
  services: OperationServices,
  { contract, access, handler }: { contract: C; access: A; handler: Handler<C, A> },
): void {
  const { method, path, query, body } = contract
  const facts = { changes: method !== 'GET', hasBody: body !== undefined }
  app.route<RouteGenericInterface>({
    method,
    url: path,
    schema: toSchema(contract),
    ...accessHooks(access, facts, services),
    ...(query !== undefined && {
      preValidation: async (request: FastifyRequest) => {
        request.query = readQuery(query, request.query)
      },
    }),
    // Not async: an async function would keep the whole body in memory until the handler has ended.
    handler: (request, reply) => {
      if (!isIdentified(access, request)) throw new Error('the access check did not run')
      // Fastify has validated params, query and body by the contract's own schemas.
      const input = toInput(request, reply) as InputOf<C, A>
      request.body = undefined
      return Promise.resolve(handler(input)).then((result) =>
        respond(result, request, reply, services),
      )
    },
  })
}

function toInput(request: FastifyRequest, reply: FastifyReply): object {
  const { params, query, body, caller, place, panelUser: user } = request
  return { params, query, body, request, reply, caller, place, user }
}

function toSchema({ params, query, body }: Contract) {
  return {
    ...(params !== undefined && { params }),
    ...(query !== undefined && { querystring: query }),
    ...(body !== undefined && { body }),
  }
}
