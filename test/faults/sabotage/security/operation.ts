import type { Sabotage } from '../sabotage.ts'

const dependencies = 'tools/security/dependencies.test.ts'
const idempotency = 'test/storage/idempotency.test.ts'
const keys = 'test/storage/keys.test.ts'

/** Sabotages of the packages, and of what requests may use of the disk and of the engine. */
export const operationSabotages: readonly Sabotage[] = [
  {
    id: 'T39',
    breaks: 'A package may have any later version.',
    file: 'package.json',
    find: '"fastify": "5',
    replace: '"fastify": "^5',
    test: { file: dependencies, title: 'every package has an exact version and a checksum' },
  },
  {
    id: 'T39',
    breaks: 'A package comes from another address.',
    file: 'package-lock.json',
    find: '    "node_modules/fastify": {\n',
    replace:
      '    "node_modules/fastify": {\n      "resolved": "https://registry.example.com/fastify.tgz",\n',
    test: { file: dependencies, title: 'every package has an exact version and a checksum' },
  },
  {
    id: 'T39',
    breaks: 'A package may run a script when it is installed.',
    file: 'package.json',
    find: '"better-sqlite3": false',
    replace: '"better-sqlite3": true',
    test: { file: dependencies, title: 'no package but Node itself may run a script' },
  },
  {
    id: 'T40',
    breaks: 'The service has a package that renders on the server.',
    file: 'package.json',
    find: '    "fastify": ',
    replace: '    "react-dom": "19.2.0",\n    "fastify": ',
    test: { file: dependencies, title: 'no package renders on the server' },
  },
  {
    id: 'T41',
    breaks: 'Stored replies may fill the disk.',
    file: 'src/usage/ledger.ts',
    find: 'bytesMax: idempotencyBytesMax - idempotencyReplyBytesMax - idempotencyRowBytes,',
    replace: 'bytesMax: 1000 * idempotencyBytesMax,',
    test: { file: idempotency, title: 'when the stored replies exceed 64 MiB' },
  },
  {
    id: 'T41',
    breaks: 'Stored replies are never deleted for their age.',
    file: 'src/usage/upkeep/retention.ts',
    find: 'deleteOldReplies({ beforeMs: nowMs - idempotencyMs })',
    replace: 'deleteOldReplies({ beforeMs: 0 * nowMs - idempotencyMs })',
    test: { file: idempotency, title: 'stored replies are deleted after 24 hours' },
  },
  {
    id: 'T41',
    breaks: 'An account may leave any number of revoked keys in the database.',
    file: 'src/accounts/api-key-store.ts',
    find: '[dropEarliestRevoked(accountId), ...audit]',
    replace: 'dropEarliestRevoked(accountId) ? audit : []',
    test: { file: keys, title: 'leave at most 1,000 revoked ones in the database' },
  },
  {
    id: 'T42',
    breaks: 'Names may have control characters and direction marks.',
    file: 'src/accounts/name.ts',
    find: String.raw`if (!name.isWellFormed() || /[\p{C}\p{Zl}\p{Zp}]/u.test(name.replaceAll(joined, '')))`,
    replace: 'if (!name.isWellFormed() && joined.test(name))',
    test: {
      file: 'test/api/panel/keys.test.ts',
      title: 'is refused with its parameter, and no key is created',
    },
  },
  {
    id: 'T43',
    breaks: 'One account may take all places of the queue, with several keys.',
    file: 'src/completions/admission/admission.ts',
    find: 'account: slots + Math.min(service, options.queueOfAccountMax ?? queueOfAccountMax),',
    replace: 'account: Infinity,',
    test: {
      file: 'src/completions/admission/admission.test.ts',
      title: 'a key and an account have their shares of the places',
    },
  },
  {
    id: 'T43',
    breaks: 'The queue takes any number of requests.',
    file: 'src/completions/admission/admission.ts',
    find: '      service: slots + service,\n',
    replace: '      service: Infinity,\n',
    test: {
      file: 'src/completions/admission/admission.test.ts',
      title: 'a full queue refuses at once, with a time to retry',
    },
  },
  {
    id: 'T59',
    breaks: 'An account may have all keys of the service.',
    file: 'src/accounts/api-key-store.ts',
    find: ' and account_id = ${accountId}) < ${apiKeysOfAccountMax}`',
    replace: ' and account_id = ${accountId}) < ${apiKeysMax}`',
    test: { file: keys, title: 'are at most 1,000, so that other accounts still get theirs' },
  },
  {
    id: 'G3',
    breaks: 'The account that began to wait first is served first, however much it got already.',
    file: 'src/completions/admission/fair-order.ts',
    find: 'line = this.#first(line.backlog, slots) ?? line',
    replace: 'line = [...line.backlog][0] ?? this.#first(line.backlog, slots) ?? line',
    test: {
      file: 'test/api/chat/fairness.test.ts',
      title: 'a key gets the next free slot beside another with 100 parallel requests',
    },
  },
]
