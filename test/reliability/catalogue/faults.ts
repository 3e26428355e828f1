import type { Item } from './item.ts'

/** Faults that the tests inject, in the order of their ids. */
export const faults: readonly Item[] = [
  {
    id: 'F01',
    name: 'The engine process is killed while it decodes.',
    injection: '`SIGKILL` to the engine process at random tokens, under load.',
  },
  {
    id: 'F02',
    name: 'The service is killed.',
    injection:
      '`SIGKILL` to the service, or to a process that writes the ledger, at random moments while clients run.',
  },
  {
    id: 'F03',
    name: 'A request that crashes the engine.',
    injection: 'The engine is killed by the same request twice, or a schema or a text hangs it.',
  },
  {
    id: 'F04',
    name: 'Ten times the load for minutes.',
    injection: 'An open loop of requests at ten times the saturating rate.',
  },
  {
    id: 'F05',
    name: 'Many clients hang up at once.',
    injection: 'Hundreds of clients close at random tokens or while they wait.',
  },
  {
    id: 'F06',
    name: 'The power fails.',
    injection:
      'Every write and flush of the database files and every send to a socket is recorded. The files are rebuilt at moments of the record, with writes since the last flush dropped, torn or reordered.',
  },
  {
    id: 'F07',
    name: 'A flush fails.',
    injection: '`strace` makes `fdatasync` return `EIO`.',
  },
  {
    id: 'F08',
    name: 'The disk is full.',
    injection: 'The database is on a small tmpfs, which the test fills.',
  },
  {
    id: 'F09',
    name: 'The disk is slow.',
    injection: '`strace` delays each `fdatasync`.',
  },
  {
    id: 'F10',
    name: 'Clients that read slowly or not at all.',
    injection: 'Sockets that are never read, or read a byte at a time.',
  },
  {
    id: 'F11',
    name: 'Clients that send slowly.',
    injection: 'Thousands of unfinished requests and uploads that never end.',
  },
  {
    id: 'F12',
    name: 'Hostile input.',
    injection: 'Generated requests and raw TCP bytes.',
  },
  {
    id: 'F13',
    name: 'A greedy neighbour.',
    injection: 'One key sends 100 parallel requests beside another key with one.',
  },
  {
    id: 'F14',
    name: '`SIGTERM` under load.',
    injection: '`SIGTERM` while streams run, and a second one.',
  },
  {
    id: 'F15',
    name: 'The engine process hangs.',
    injection: '`SIGSTOP` to the engine process.',
  },
  {
    id: 'F16',
    name: 'The engine process runs out of memory.',
    injection: 'A memory limit below what the model needs, or a kill by the kernel.',
  },
  {
    id: 'F17',
    name: 'The engine does not start.',
    injection: 'A missing, foreign or damaged model file, a port in use, a missing library.',
  },
  {
    id: 'F18',
    name: 'The engine process sends garbage.',
    injection: 'An engine process that sends invalid, huge or late messages.',
  },
  {
    id: 'F19',
    name: 'The event loop is blocked.',
    injection: 'A synchronous pause of seconds in the process of the service.',
  },
  {
    id: 'F20',
    name: 'Clients that retry at once.',
    injection: 'Clients ignore `Retry-After` and repeat a refused request.',
  },
  {
    id: 'F21',
    name: 'Refused clients return together.',
    injection: '1,000 refused clients obey `Retry-After`.',
  },
  {
    id: 'F22',
    name: 'Retries with an idempotency key.',
    injection:
      'The same key one after another, at the same time, by two processes and over a kill.',
  },
  {
    id: 'F23',
    name: 'The clock jumps.',
    injection: 'A wall clock that is moved by an hour or by 40 days.',
  },
  {
    id: 'F24',
    name: 'No descriptors are left.',
    injection: 'A low limit of open files.',
  },
  {
    id: 'F25',
    name: 'Memory is short.',
    injection: 'A small heap or a memory limit, under load.',
  },
  {
    id: 'F26',
    name: 'The processor is short.',
    injection: 'A limit of the processor time.',
  },
  {
    id: 'F27',
    name: 'The database is locked.',
    injection: 'Another process holds a write transaction, or a long reader stops checkpoints.',
  },
  {
    id: 'F28',
    name: 'The database is damaged.',
    injection:
      'Flipped bytes, truncated files, a missing database beside its journal, a read-only file.',
  },
  {
    id: 'F29',
    name: 'PostgreSQL is killed.',
    injection: 'Kills of the server, and `pg_terminate_backend`.',
  },
  {
    id: 'F30',
    name: 'PostgreSQL cannot be reached.',
    injection: 'Packets are dropped without a reset.',
  },
  {
    id: 'F31',
    name: 'PostgreSQL is read-only after a failover.',
    injection: '`default_transaction_read_only = on`.',
  },
  {
    id: 'F32',
    name: 'A shared cache stalls.',
    injection: '',
    notApplicable:
      'Does not apply. There is no shared cache: replicas lease limits from PostgreSQL, whose outages are F29 to F31.',
  },
  {
    id: 'F33',
    name: 'A key is revoked on another replica.',
    injection: 'Several services on one database; a key is revoked during a stream.',
  },
  {
    id: 'F34',
    name: 'Limits over several replicas.',
    injection: 'Several services on one database; more requests than a key may send.',
  },
  {
    id: 'F35',
    name: 'An upstream refuses before the first token.',
    injection: 'An upstream that answers 429, 500, 503 or 529, or refuses connections.',
  },
  {
    id: 'F36',
    name: 'An upstream is cut in the middle of a reply.',
    injection: 'An upstream that closes, resets or stalls after some chunks.',
  },
  {
    id: 'F37',
    name: 'An upstream lies.',
    injection: 'Impossible counts, two ends, broken UTF-8, huge chunks, comments.',
  },
  {
    id: 'F38',
    name: 'An upstream whose health check lies.',
    injection: 'An upstream that is healthy but generates nothing.',
  },
  {
    id: 'F39',
    name: 'One of several replicas is killed.',
    injection: '`SIGKILL` to one of three services on one database.',
  },
  {
    id: 'F40',
    name: 'A rolling update that changes the schema.',
    injection: 'An old and a new service on one database.',
  },
  {
    id: 'F41',
    name: 'A slow network.',
    injection: 'A limit of the bandwidth to the client (`tc tbf`) in a network namespace.',
  },
  {
    id: 'F42',
    name: 'A lossy network.',
    injection: 'Packets are dropped at random (`nft`), and connections reset (`ss --kill`).',
  },
  {
    id: 'F43',
    name: 'Name resolution fails.',
    injection: 'A service whose `/etc/hosts` changes, and whose resolver does not answer.',
  },
  {
    id: 'F44',
    name: 'The log is not read.',
    injection: 'A pipe that is never read, or a full disk below the log.',
  },
  {
    id: 'F45',
    name: 'The panel is abused.',
    injection: 'Floods of sign-ins, thousands of keys, five million rows of usage.',
    bounds: [{ figure: /took (\d+) ms \(p50\)/, most: 300 }],
  },
  {
    id: 'F46',
    name: 'A backup under load.',
    injection: 'A copy is made while requests are written; it is restored and compared.',
  },
  {
    id: 'F47',
    name: 'Random faults in simulated time.',
    injection:
      'The service with a simulated clock, disk and engine, through thousands of seeded schedules.',
  },
  {
    id: 'F48',
    name: 'Upgrade and downgrade of the data.',
    injection: 'Databases of earlier versions are opened by this one, and the other way round.',
  },
]
