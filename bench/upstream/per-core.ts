import { createDatabase } from '../../test/support/postgres/start-postgres.ts'
import { median } from '../load.ts'
import { installLiteLlm, startLiteLlm } from '../peers/litellm.ts'
import { installSmg, startSmg } from '../peers/smg.ts'
import { loadCore, onCore, serverCore, type Server } from '../process.ts'
import { figure, progress, table } from '../report.ts'
import type { Goal, Part } from './goals.ts'
import {
  cell,
  type Contestant,
  describeFailures,
  measureSides,
  pairwise,
  type Round,
  type Side,
} from './measure-sides.ts'
import { startBackends, startFront, stopAll } from './start-sides.ts'

const load = { type: 'closed', callers: 32, durationMs: 5000 } as const
const onPostgres = 'Pipit, ledger on PostgreSQL'
const liteLlm = 'LiteLLM, no ledger'
const smg = 'smg, no ledger'
const peers = [
  { name: liteLlm, start: (to: Server) => startLiteLlm(installLiteLlm(), to, serverCore) },
  { name: smg, start: (to: Server) => startSmg(installSmg(), to, serverCore) },
] as const

/** Compares how many requests one core of Pipit, LiteLLM and smg serves in front of the same upstream. */
export async function measurePerCore(rounds: number): Promise<Part> {
  const started: { stop: () => Promise<void> }[] = []
  try {
    const { upstream, postgres } = await startBackends(started, serverCore)
    const durable = await startFront(upstream, await createDatabase(postgres.url))
    started.push(durable)
    const filed = await startFront(upstream)
    started.push(filed)
    const sides: Side[] = [
      { name: 'the upstream alone', servers: [upstream] },
      { name: onPostgres, servers: [durable], postgresPid: postgres.pid },
      { name: 'Pipit, ledger in a file', servers: [filed] },
    ]
    const absent: string[] = []
    for (const { name, start } of peers)
      try {
        const server = await start(upstream)
        started.push(server)
        sides.push({ name, servers: [server] })
      } catch (error) {
        progress(`${name}: left out: ${String(error)}`)
        absent.push(`\nNot measured, because it could not be installed or started here: ${name}.`)
      }
    const contestants = await onCore(loadCore, () => measureSides(sides, load, rounds))
    return describe(contestants, absent.join(''))
  } finally {
    await stopAll(started)
  }
}

/** Requests that one second of processor time serves; the time of PostgreSQL counts. */
function perCore({ serverMs, postgresMs }: Round): number {
  return 1000 / (serverMs + postgresMs)
}

function describe(contestants: readonly Contestant[], absent: string): Part {
  const goals: Goal[] = []
  const rows = contestants.map((one) => {
    const { side, way, rounds } = one
    const cells = [
      `${side.name}, ${way}`,
      cell(rounds, 'requestsPerSecond', 0),
      cell(rounds, 'serverMs', 2),
      side.postgresPid === undefined ? '' : cell(rounds, 'postgresMs', 2),
      figure(rounds.map(perCore), 0),
    ]
    const ratiosTo = (peerName: string): number[] | undefined => {
      const peer = contestants.find((other) => other.side.name === peerName && other.way === way)
      if (peer === undefined || !side.name.startsWith('Pipit')) return undefined
      return pairwise(one, peer, (a, b) => perCore(a) / perCore(b))
    }
    const ratios = ratiosTo(liteLlm)
    if (side.name === onPostgres && ratios !== undefined)
      goals.push({
        goal: `requests per core ≥ 10 × LiteLLM’s, with the ledger on PostgreSQL, ${way}`,
        found: `${median(ratios).toFixed(1)} ×`,
        met: median(ratios) >= 10,
      })
    const toSmg = ratiosTo(smg)
    return [
      ...cells,
      ratios === undefined ? '' : figure(ratios, 1),
      toSmg === undefined ? '' : figure(toSmg, 2),
    ]
  })
  const markdown = [
    `**Throughput of a core.** ${load.callers} callers for ${load.durationMs / 1000} s, replies of 8 tokens. The gateways and PostgreSQL share one core, the upstream`,
    'and the load another. Each commit of PostgreSQL is flushed to the disk. Requests per core are those of one second of',
    'processor time of the gateway and of its PostgreSQL. LiteLLM has one worker, a master key and no database. smg is',
    "SGLang's model gateway, in Rust, with one API key. Neither keeps a ledger or a limit here, which flatters",
    `both.${absent}${describeFailures(contestants)}`,
    '',
    table(
      [
        '',
        'requests/s',
        'processor time of a request, ms',
        'of PostgreSQL, ms',
        'requests per core',
        '× LiteLLM',
        '× smg',
      ],
      rows,
    ),
  ].join('\n')
  return { markdown, goals }
}
