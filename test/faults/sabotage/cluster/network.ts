import type { Sabotage } from '../sabotage.ts'

/** Sabotages of the behaviour on networks that are slow, lose packets or cannot resolve a name. */
export const networkSabotages: readonly Sabotage[] = [
  {
    id: 'F30',
    breaks: 'A replica that cannot reach PostgreSQL takes itself for registered.',
    file: 'src/usage/replicas/replica.ts',
    find: 'return this.#options.steadyMs() - this.#confirmedMs < replicaTrustMs',
    replace: 'return this.#confirmedMs < this.#options.steadyMs()',
    test: {
      file: 'test/faults/replicas/partition.long.test.ts',
      title: 'while packets to PostgreSQL are dropped, a replica refuses in bounded time',
    },
  },
  {
    id: 'F41',
    breaks: 'A reader that is half a second behind is cut off.',
    file: 'src/http/reply/sse.ts',
    find: '        this.#slowReaderMs,\n      )',
    replace: '        Math.min(500, this.#slowReaderMs),\n      )',
    test: {
      file: 'test/faults/network/slow-network.long.test.ts',
      title: 'over a network of 256 kbit/s streams take long and arrive whole',
    },
  },
  {
    id: 'F42',
    breaks: 'Goes on with requests whose connection was reset.',
    file: 'src/http/request/hang-up.ts',
    find: '  onceClosed(response, onClose)\n',
    replace: '',
    test: {
      file: 'test/faults/network/lossy-network.long.test.ts',
      title: 'on a network that loses 5 % of the packets and resets connections',
    },
  },
  {
    id: 'F43',
    breaks: 'The name of an upstream is resolved once.',
    file: 'src/engine/upstream/wire/send.ts',
    find: '  readonly #http = new HttpAgent({ keepAlive: true })\n',
    replace: `  #addresses: unknown[] | undefined
  readonly #http = new HttpAgent({
    keepAlive: true,
    lookup: (name, options, done) => {
      if (this.#addresses !== undefined) return void (done as Function)(null, ...this.#addresses)
      process.getBuiltinModule('node:dns').lookup(name, options, (error: unknown, ...found: unknown[]) => {
        if (error === null) this.#addresses = found
        ;(done as Function)(error, ...found)
      })
    },
  })
`,
    test: {
      file: 'test/faults/network/name-resolution.long.test.ts',
      title: "requests follow an upstream's name to another address",
    },
  },
]
