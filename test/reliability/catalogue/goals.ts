import type { Item } from './item.ts'

/** Goals that the service must meet. */
export const goals: readonly Item[] = [
  {
    id: 'G1',
    name: 'No acknowledged usage is lost or counted twice, and it equals what the client saw.',
    injection:
      'Kills of the service and of the engine, and images of the disk after a power loss; a journal of the clients is compared with the ledger.',
  },
  {
    id: 'G2',
    name: 'At ten times the load that saturates the engine, goodput stays at 95 % of the peak with the scripted engine and at 90 % with a real one. Refusals take at most 50 ms (p99). Goodput is back at 95 % within 30 s.',
    injection:
      'An open loop of requests at 1, 10 and 0.7 times the saturating rate. Only whole replies whose tokens equal the ledger count.',
    bounds: [
      { figure: /^The scripted engine.*goodput was ([\d.]+) %/, least: 95 },
      { figure: /^The bundled model.*goodput was ([\d.]+) %/, least: 90 },
      { figure: /refusals took ([\d.]+) ms/, most: 50 },
      { figure: /were served from ([\d.]+) s on/, most: 30 },
    ],
  },
  {
    id: 'G3',
    name: 'Beside a key with 100 parallel requests, the first token of a light key comes (p99) within twice its time alone plus the rest of one service time.',
    injection: 'One greedy key and one light key, or light end users of one key.',
  },
  {
    id: 'G4',
    name: 'At saturation with 20 % of clients hanging up, memory grows by less than 1 MiB an hour and the event loop is late by less than 50 ms (p99).',
    injection: 'Two hours of load; memory, descriptors and timers are sampled.',
    bounds: [
      { figure: /memory of the service grew by (-?[\d.]+) MiB\/h/, most: 1 },
      { figure: /([\d.]+) ms \(largest\)/, most: 50 },
    ],
  },
  {
    id: 'G5',
    name: 'After a kill of the engine, waiting requests survive, running replies continue or get an error event, and new ones are served within the load time plus 2 s, or get 503 within 1 s if the queue is full. The process of the service stays.',
    injection: '`SIGKILL` to the engine process at random moments of the replies.',
  },
  {
    id: 'G6',
    name: 'No crash and no unexpected 5xx over a million generated requests.',
    injection: 'Requests generated from the OpenAPI document and broken in many ways.',
    total: {
      figure: /: ([\d,]+) sent,/,
      goal: 1_000_000,
      unit: 'requests',
      // The others go to the scripted engine, which answers faster.
      part: { figure: /^Hostile requests, engine, .*: ([\d,]+) sent,/, name: 'to the real engine' },
    },
  },
  {
    id: 'G7',
    name: 'The service adds at most 2 ms (p50) and 13 ms (p99) at 300 requests per second on one core.',
    injection: 'The scripted engine, asked directly and through the service.',
  },
  {
    id: 'G8',
    name: 'A revoked key stops working within 1 s, in open streams too; on every replica within 5 s.',
    injection: 'A key is revoked while it streams.',
  },
  {
    id: 'G9',
    name: 'Restarting two services in turn under load fails no request and truncates no stream.',
    injection: '`SIGTERM` to one service after the other behind a load balancer.',
  },
]
