import { randomBytes } from 'node:crypto'
import type { Database } from '../../storage/database.ts'
import { queries, type Statement, toStatement } from '../../storage/statement.ts'
import type { AlertDeliveryRow } from '../../storage/tables.ts'
import {
  deliveriesMax,
  deliveriesPerCheck,
  deliveryLeaseMs,
  resultCharsMax,
  retryDelaysMs,
} from './alert-limits.ts'

export type Channel = AlertDeliveryRow['channel']
type NewDelivery = { alertId: string; channel: Channel; body: string }

/** Result of one attempt. With `isFinal`, a failed attempt is not retried. */
export type Attempt = { delivered: boolean; result: string; isFinal?: boolean }

/** Returns a statement that adds a delivery, due immediately. */
export function addDelivery({ alertId, channel, body }: NewDelivery, nowMs: number): Statement {
  return toStatement(
    queries.insertInto('alert_deliveries').values({
      // Ids sort by time.
      id: `dlv_${nowMs.toString(16).padStart(12, '0')}${randomBytes(6).toString('hex')}`,
      alert_id: alertId,
      channel,
      body,
      state: 'waiting',
      attempts: 0,
      next_ms: nowMs,
      result: null,
      created_ms: nowMs,
      updated_ms: nowMs,
    }),
  )
}

/**
 * Returns a statement that deletes the oldest deliveries beyond `deliveriesMax`. It keeps those that are still to be
 * sent, because an alert is raised only once. The number of budgets and thresholds bounds them.
 */
export function trimDeliveries(): Statement {
  const newest = queries.selectFrom('alert_deliveries').select('id').orderBy('id', 'desc')
  return toStatement(
    queries
      .deleteFrom('alert_deliveries')
      .where('id', '<=', newest.limit(1).offset(deliveriesMax))
      .where('state', '<>', 'waiting'),
  )
}

/**
 * Returns the deliveries of one channel or of one alert whose next attempt is due: at most `deliveriesPerCheck`.
 * @throws ServiceError ledger_unavailable
 */
export function findDue(
  database: Database,
  nowMs: number,
  of: Pick<AlertDeliveryRow, 'channel'> | Pick<AlertDeliveryRow, 'alert_id'>,
): Promise<AlertDeliveryRow[]> {
  return database.read(
    queries
      .selectFrom('alert_deliveries')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('next_ms', '<=', nowMs)
      .where((eb) => eb.and(of))
      .orderBy('next_ms')
      .limit(deliveriesPerCheck),
  )
}

/**
 * Leases a delivery for one attempt. Only one of several services gets it, until the lease expires.
 * @returns false if another service has it
 * @throws ServiceError ledger_unavailable
 */
export async function claimDelivery(
  database: Database,
  { id, attempts }: AlertDeliveryRow,
  nowMs: number,
): Promise<boolean> {
  const claim = queries
    .updateTable('alert_deliveries')
    .set({ attempts: attempts + 1, next_ms: nowMs + deliveryLeaseMs, updated_ms: nowMs })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
  return (await database.write([toStatement(claim)])) === 1
}

/**
 * Records the result of an attempt. A failed delivery is retried, at most once for each of `retryDelaysMs`.
 * @throws ServiceError ledger_unavailable
 */
export async function settleDelivery(
  database: Database,
  { id, attempts }: AlertDeliveryRow,
  { delivered, result, isFinal = false }: Attempt,
  nowMs: number,
): Promise<void> {
  // `attempts` does not count this attempt.
  const delayMs = isFinal ? undefined : retryDelaysMs[attempts]
  const failed = delayMs === undefined ? 'failed' : 'waiting'
  const settle = queries
    .updateTable('alert_deliveries')
    .set({
      state: delivered ? 'delivered' : failed,
      next_ms: nowMs + (delayMs ?? 0),
      result: result.slice(0, resultCharsMax),
      updated_ms: nowMs,
    })
    .where('id', '=', id)
    // A service that was too slow must not overwrite the result of the next attempt.
    .where('attempts', '=', attempts + 1)
  await database.write([toStatement(settle)])
}

/**
 * Returns the newest deliveries, or those of one alert.
 * @throws ServiceError ledger_unavailable
 */
export function listDeliveries(
  database: Database,
  limit: number,
  alertId?: string,
): Promise<AlertDeliveryRow[]> {
  return database.readAside(
    queries
      .selectFrom('alert_deliveries')
      .selectAll()
      .$if(alertId !== undefined, (query) => query.where('alert_id', '=', alertId ?? ''))
      .orderBy('id', 'desc')
      .limit(limit),
  )
}
