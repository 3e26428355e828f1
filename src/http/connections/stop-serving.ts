import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Admission } from '../../completions/admission/admission.ts'
import type { Engine } from '../../engine/engine.ts'
import { connectionsGraceMs } from '../../limits.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { closeServer } from './close-server.ts'

type Draining = {
  readonly admission: Admission
  /** `failed` aborts when nothing can be written durably any more. */
  readonly database: { readonly failed: AbortSignal }
  readonly hasStarted: boolean
}

type Stopping = {
  readonly admission: Admission
  /** Cuts the running replies. */
  readonly stopping: AbortController
  readonly engine: Engine
}

/** Keeps serving as not ready until load balancers have had time to send their requests elsewhere. */
export async function drain(
  { admission, database, hasStarted }: Draining,
  drainMs: number,
  logger: Logger,
): Promise<void> {
  const { failed } = database
  if (drainMs === 0 || failed.aborted || !hasStarted) return
  admission.drain()
  logger.info('draining: not ready any more, requests are still accepted', { durationMs: drainMs })
  await delay(drainMs, undefined, { signal: failed }).catch(() => {})
}

/** Lets running replies finish, and clients read them, within the grace period, then cuts the others. */
export async function stopServing(
  app: FastifyInstance,
  { admission, stopping, engine }: Stopping,
  graceMs: number,
  logger: Logger,
): Promise<void> {
  const startMs = performance.now()
  const haveEnded = await admission.close(graceMs)
  if (!haveEnded) {
    logger.warn('the grace period is over: running replies are cut', { count: admission.running })
    stopping.abort()
  }
  await closeServer(app, graceMs - (performance.now() - startMs))
  if (haveEnded) return
  // An engine that hangs has not ended its replies. They are settled here, while the ledger is open.
  await engine.close()
  await admission.close(connectionsGraceMs)
}
