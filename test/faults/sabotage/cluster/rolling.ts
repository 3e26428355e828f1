import type { Sabotage } from '../sabotage.ts'

const stopping = { file: 'test/faults/machine/stopping.test.ts', title: 'while it drains' }
const rolling = { file: 'test/faults/replicas/rolling.long.test.ts', title: 'a rolling restart' }

const upgrade = 'test/storage/postgres/upgrade.test.ts'

/** Sabotages of rolling restarts and upgrades of replicas. */
export const rollingUpdates: readonly Sabotage[] = [
  {
    id: 'G9',
    breaks: 'A service that stops refuses requests before load balancers know.',
    file: 'src/http/connections/stop-serving.ts',
    find: 'await delay(drainMs, undefined',
    replace: 'await delay(drainMs * 0, undefined',
    test: rolling,
  },
  {
    id: 'G9',
    breaks: 'A service that drains says that it is ready.',
    file: 'src/main.ts',
    find: 'accepting: admission.open,',
    replace: 'accepting: true,',
    test: stopping,
  },
  {
    id: 'G9',
    breaks: 'A service that drains keeps connections open.',
    file: 'src/http/reply/reply-headers.ts',
    find: "...(admission.open ? {} : { connection: 'close' }),",
    replace: '',
    test: stopping,
  },
  {
    id: 'G9',
    breaks: 'A service that stops stays registered until its heartbeat expires.',
    file: 'src/usage/replicas/replica.ts',
    find: 'clearInterval(this.#timer)',
    replace: 'if (this.#closed) return clearInterval(this.#timer)',
    test: rolling,
  },
  {
    id: 'F34',
    breaks: 'A lease that suffices is returned while a request waits for another one.',
    file: 'src/usage/leases/leased-limits.ts',
    find: 'const stops = needs.map(',
    replace: 'const stops = lacking.map(',
    test: {
      file: 'test/storage/postgres/leases.test.ts',
      title: 'a request of a key with several',
    },
  },
  {
    id: 'F40',
    breaks: 'A service refuses tables that are newer than it knows.',
    file: 'src/storage/postgres/schema.ts',
    find: 'if (needs > known)',
    replace: 'if (needs >= 0)',
    test: { file: upgrade, title: 'a service starts on tables that a newer version' },
  },
  {
    id: 'F40',
    breaks: 'A service starts on tables that lack what it uses.',
    file: 'src/storage/postgres/schema.ts',
    find: 'if (needs > known)',
    replace: 'if (needs < 0)',
    test: { file: upgrade, title: 'a service that is too old' },
  },
  {
    id: 'F40',
    breaks: 'An upgrade removes what a running service uses.',
    file: 'src/storage/postgres/schema.ts',
    find: 'if (running !== undefined)',
    replace: 'if (running !== undefined && needs < 0)',
    test: { file: upgrade, title: 'nothing is removed from the tables' },
  },
]
