import type { Sabotage } from '../sabotage.ts'

const keyList = 'src/accounts/api-key-list.ts'
const keyStore = 'src/accounts/api-key-store.ts'
const usableKeys = 'src/accounts/usable-keys.ts'
const receipts = 'src/usage/receipts.ts'
const report = 'src/usage/usage-report.ts'
const keysTest = 'test/api/panel/keys.test.ts'
const sessionTest = 'test/api/panel/session.test.ts'
const routesTest = 'test/api/panel/routes.test.ts'
const usageTest = 'test/api/panel/usage.test.ts'

/** Sabotages that let a request set what only an administrator may set, or reach objects of another account. */
const objectSabotages: readonly Sabotage[] = [
  {
    id: 'T6',
    breaks: 'A search for keys becomes a part of the SQL text.',
    file: 'src/storage/statement.ts',
    find: 'like lower(${pattern}) escape',
    replace: "like lower(${sql.raw(`'${pattern}'`)}) escape",
    test: {
      file: 'test/api/network/sql-texts.test.ts',
      title: 'SQL in a credential, a field, a query or a path is text like any other',
    },
  },
  {
    id: 'T6',
    breaks: 'Values become a part of the SQL text.',
    file: 'src/storage/statement.ts',
    find: '  return { sql, parameters: parameters.map(toSqlValue) }\n',
    replace: `  const values = parameters.map(toSqlValue)
  const text = (value: SqlValue | undefined) => (typeof value === 'string' ? \`'\${value}'\` : String(value))
  return { sql: sql.replaceAll('?', () => text(values.shift())), parameters: [] }
`,
    test: {
      file: 'test/api/network/sql-texts.test.ts',
      title: 'SQL in a credential, a field, a query or a path is text like any other',
    },
  },
  {
    id: 'T7',
    breaks: 'The body of a new key may have members that the service does not know.',
    file: 'src/protocol/panel-keys.ts',
    find: 'const closed = { additionalProperties: false }',
    replace: 'const closed = { additionalProperties: true }',
    test: { file: keysTest, title: 'is refused with its parameter, and no key is created' },
  },
  {
    id: 'T7',
    breaks: 'The body of a sign-up may have members that the service does not know.',
    file: 'src/protocol/panel-session.ts',
    find: 'const closed = { additionalProperties: false }',
    replace: 'const closed = { additionalProperties: true }',
    test: { file: sessionTest, title: 'a sign-up with bad input is refused and changes nothing' },
  },
  {
    id: 'T7',
    breaks: 'A one-time link serves any purpose.',
    file: 'src/people/one-time-links.ts',
    find: "      .where('purpose', '=', purpose)\n",
    replace: '',
    test: {
      file: 'test/api/panel/sign-up-policy.test.ts',
      title: 'a link to a new password creates no account',
    },
  },
  {
    id: 'T8',
    breaks: 'The page of a key shows the keys of all accounts.',
    file: keyList,
    find: "        .where('id', '=', id)\n        .where('account_id', '=', accountId),\n",
    replace: "        .where('id', '=', id),\n",
    test: { file: routesTest, title: 'returns 404 for objects of another account' },
  },
  {
    id: 'T8',
    breaks: 'The list of keys has the keys of all accounts.',
    file: keyList,
    find: "const all = queries.selectFrom('api_keys').where('account_id', '=', accountId)",
    replace: "const all = queries.selectFrom('api_keys')",
    test: { file: routesTest, title: 'contains nothing of another account' },
  },
  {
    id: 'T8',
    breaks: 'A user can change the keys of other accounts.',
    file: keyStore,
    find: 'if (row === undefined || (by.accountId !== undefined && row.account_id !== by.accountId))',
    replace: 'if (row === undefined)',
    test: { file: keysTest, title: 'key looks the same as one that does not exist' },
  },
  {
    id: 'T8',
    breaks: 'A key reads the receipts of other accounts.',
    file: receipts,
    find: "        .where('request_id', '=', requestId)\n        .where('account_id', '=', accountId),\n",
    replace: "        .where('request_id', '=', requestId),\n",
    test: {
      file: 'test/api/chat/receipts.test.ts',
      title: 'returns 404 to another account, the same as for an unknown request',
    },
  },
  {
    id: 'T8',
    breaks: 'The list of receipts has those of all accounts.',
    file: receipts,
    find: "      .where('account_id', '=', accountId)\n      .where(createdMs",
    replace: '      .where(createdMs',
    test: { file: routesTest, title: 'contains nothing of another account' },
  },
  {
    id: 'T8',
    breaks: 'A user can end the sessions of other users.',
    file: 'src/people/panel-auth.ts',
    find: "      .where('user_id', '=', userId)\n      .where('id', which",
    replace: "      .where('id', which",
    test: { file: sessionTest, title: 'of another user cannot be ended' },
  },
  {
    id: 'T8',
    breaks: 'The list of sessions has those of all users.',
    file: 'src/people/panel-auth.ts',
    find: "        .where('user_id', '=', userId)\n        .where('expires_at'",
    replace: "        .where('expires_at'",
    test: { file: routesTest, title: 'contains nothing of another account' },
  },
  {
    id: 'T8',
    breaks: 'The usage by time is that of all accounts.',
    file: report,
    find: "where account_id = ${accountId} and span = 'hour' and key_id = ${keyId}",
    replace: "where span = 'hour' and key_id = ${keyId}",
    test: { file: usageTest, title: 'of another account is not visible' },
  },
  {
    id: 'T8',
    breaks: 'The errors by code are those of all accounts.',
    file: report,
    find: "        .where('account_id', '=', accountId)\n        .where('key_id', '=', keyId)\n",
    replace: "        .where('key_id', '=', keyId)\n",
    test: { file: usageTest, title: 'of another account is not visible' },
  },
]

/** Sabotages that let a key or a session go on after it was ended. */
const endedAccessSabotages: readonly Sabotage[] = [
  {
    id: 'T9',
    breaks: 'A revoked key stays usable in the process that revoked it.',
    file: usableKeys,
    find: '    if (!isUsable(row)) return this.#drop(row.id, this.#digestsOfKey.get(row.id) ?? [])\n',
    replace: '',
    test: { file: keysTest, title: 'a revocation takes effect at once' },
  },
  {
    id: 'T9',
    breaks: 'Running requests of a revoked key go on.',
    file: usableKeys,
    find: '    this.#byDigest.get(digest)?.revocation.abort()\n',
    replace: '',
    test: {
      file: 'test/faults/callers/revoked-streams.test.ts',
      title: 'a stream ends within 1.5 s of the revocation of its key',
    },
  },
  {
    id: 'T9',
    breaks: 'The keys of a disabled account stay usable.',
    file: usableKeys,
    find: "    .where('accounts.disabled_ms', 'is', null)\n",
    replace: '',
    test: { file: sessionTest, title: 'loses its sessions and keys at once' },
  },
  {
    id: 'T9',
    breaks: 'The user of a disabled account can sign in.',
    file: 'src/people/better-auth.ts',
    find: "        if (await isDisabled(userId)) throw new APIError('FORBIDDEN', { code: 'ACCOUNT_DISABLED' })\n",
    replace: '',
    test: { file: sessionTest, title: 'loses its sessions and keys at once' },
  },
  {
    id: 'T9',
    breaks: 'Running requests of the playground go on after the sign-out.',
    file: 'src/people/panel-sessions.ts',
    find: '    this.#followed.get(sessionId)?.end.abort()\n',
    replace: '',
    test: { file: 'test/api/panel/playground.test.ts', title: 'signing out ends an open stream' },
  },
  {
    id: 'G8',
    breaks: 'A running service does not learn that a command has revoked a key.',
    file: 'src/accounts/api-keys.ts',
    find: 'database.onForeignCommit(() => this.#refreshUntilDone())',
    replace: 'database.onForeignCommit(() => {})',
    test: {
      file: 'test/api/cli/cli.test.ts',
      title: 'a stream ends with an error when its key is revoked',
    },
  },
  {
    id: 'T37',
    breaks: 'All accounts share their idempotency keys.',
    file: 'src/completions/once/idempotency.ts',
    find: '    accountId,\n    route,\n',
    replace: "    accountId: '',\n    route,\n",
    test: {
      file: 'test/api/chat/idempotency.test.ts',
      title: 'two accounts may use the same idempotency key',
    },
  },
  {
    id: 'T37',
    breaks: 'An idempotency key may be of any length and have any characters.',
    file: 'src/http/request/idempotency-key.ts',
    find: "if (key === undefined || (typeof key === 'string' && shape.test(key))) return key",
    replace: "if (key === undefined || typeof key === 'string') return key",
    test: {
      file: 'test/api/chat/idempotency.test.ts',
      title: 'is refused, and nothing runs',
    },
  },
  {
    id: 'T37',
    breaks: 'A request with another body gets the reply of the first one.',
    file: 'src/completions/once/idempotency.ts',
    find: 'fingerprint: fingerprints.get(body) ?? fingerprintOf(body)',
    replace: "fingerprint: 'any'",
    test: {
      file: 'test/api/chat/idempotency.test.ts',
      title: 'another body under the same key is refused',
    },
  },
]

export const accountSabotages: readonly Sabotage[] = [...objectSabotages, ...endedAccessSabotages]
