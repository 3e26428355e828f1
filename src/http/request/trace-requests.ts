import type { FastifyInstance } from 'fastify'
import { onResponseEnd } from '../on-response-end.ts'
import type { RequestTrace, Tracer } from '../../telemetry/tracing/tracer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for a request that is traced. */
    trace: RequestTrace | null
  }
}

type TraceServices = {
  readonly tracer: Tracer | undefined
  readonly certificate: object | undefined
}

/** Gives each API request a span if requests are traced. Probes and the panel's own requests get none. */
export function traceRequests(app: FastifyInstance, { tracer, certificate }: TraceServices): void {
  app.decorateRequest('trace', null)
  if (tracer === undefined) return
  const scheme = certificate === undefined ? 'http' : 'https'
  app.addHook('onRequest', (request, _reply, done) => {
    if (isTraced(request.routeOptions.url))
      request.trace = tracer.startRequest(request.headers['traceparent'])
    done()
  })
  onResponseEnd(app, ({ method, trace, routeOptions, id }, status) => {
    trace?.span?.set({
      'http.request.method': method,
      ...(routeOptions.url !== undefined && { 'http.route': routeOptions.url }),
      'http.response.status_code': status,
      'url.scheme': scheme,
      'pipit.request.id': id,
    })
    // By OpenTelemetry's conventions, a caller's error does not count as a server error.
    const error = status >= 500 ? String(status) : undefined
    trace?.span?.end({ name: `${method} ${routeOptions.url ?? ''}`, error })
  })
}

function isTraced(route: string | undefined): boolean {
  return route?.startsWith('/v1/') === true || route === '/panel/api/chat/completions'
}
