import { createHmac, randomBytes } from 'node:crypto'
import { deliveryTimeoutMs } from './alert-limits.ts'
import type { Attempt } from './alert-deliveries.ts'
import { unixSeconds } from '../../usage/utc-periods.ts'

const secretPrefix = 'whsec_'
const secretBytes = 32

type Webhook = {
  url: string
  secret: string
  /** Every attempt has the same id, so that a receiver can drop duplicates. */
  id: string
  body: string
}

/** Returns a new secret in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64')
}

/**
 * Signs a webhook as Standard Webhooks 1.0 describes: HMAC-SHA-256 of id, time and body.
 * @param timestamp seconds since 1970
 * @returns the header `webhook-signature`
 */
export function signWebhook({ secret, id, body }: Webhook, timestamp: number): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const content = `${id}.${timestamp}.${body}`
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

/**
 * Posts a webhook. Every status of 200 to 299 counts as delivered; redirects are not followed. Never throws.
 * @param nowMs the time of this attempt, which receivers compare with their clock
 */
export async function postWebhook(
  webhook: Webhook,
  nowMs: number,
  signal: AbortSignal,
): Promise<Attempt> {
  const timestamp = unixSeconds(nowMs)
  try {
    const response = await fetch(webhook.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'pipit',
        'webhook-id': webhook.id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signWebhook(webhook, timestamp),
      },
      body: webhook.body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(deliveryTimeoutMs)]),
    })
    // The response body is discarded.
    await response.body?.cancel()
    return toAttempt(response.status)
  } catch (error) {
    return { delivered: false, result: faultText(error) }
  }
}

function toAttempt(status: number): Attempt {
  if (status >= 200 && status < 300) return { delivered: true, result: `Status ${status}` }
  if (status >= 300 && status < 400)
    return { delivered: false, result: `Status ${status}: redirects are not followed` }
  // Standard Webhooks: status 410 means that the receiver wants no more attempts.
  return { delivered: false, result: `Status ${status}`, isFinal: status === 410 }
}

function faultText(error: unknown): string {
  if (!(error instanceof Error)) return 'No connection'
  if (error.name === 'TimeoutError') return `No reply in ${deliveryTimeoutMs / 1000} s`
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}
