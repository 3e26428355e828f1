import type { Sabotage } from './sabotage.ts'

const httpServerTest = 'src/http/connections/http-server.test.ts'
const largeBodiesTest = 'test/faults/callers/large-bodies.test.ts'

/** Sabotages that allow attacks by clients; an earlier build allowed them too. */
const clientSabotages: readonly Sabotage[] = [
  {
    id: 'T45',
    breaks: 'A connection may have any number of unanswered requests.',
    file: 'src/http/connections/connections.ts',
    find: "    if (connection?.isOverfull) this.#cut(socket, 'pipelined')\n",
    replace: '',
    test: { file: httpServerTest, title: 'beyond the maximum end the connection, unparsed' },
  },
  {
    id: 'T45',
    breaks: "Two periods of Node's timer are longer than the time that an unread response has.",
    file: 'src/http/connections/http-server.ts',
    find: 'const timerShare = 0.45',
    replace: 'const timerShare = 1',
    test: {
      file: 'test/faults/connection-floods.test.ts',
      title:
        '100 connections whose clients read nothing are closed, and their memory is free again',
    },
  },
  {
    id: 'T46',
    breaks: 'One address may have all connections.',
    file: 'src/http/connections/connections.ts',
    find: '    if (!network.isTrusted && network.size >= perAddressMax) return this.#cutOneOf([network])\n',
    replace: '',
    test: {
      file: httpServerTest,
      title: 'a new one takes the place of the oldest without a request, of the same address',
    },
  },
  {
    id: 'T47',
    breaks: 'The compiler of schemas does any amount of work.',
    file: 'src/engine/grammar/grammar.ts',
    find: "    if (this.#left < 0) throw new SchemaRefused('', 'The schema is too complex. Make it smaller.')\n",
    replace: '',
    test: {
      file: 'src/engine/embedded/child/prepare/preparing-thread.test.ts',
      title: 'that needs more than a first attempt is postponed, and then compiled or refused',
    },
  },
  {
    id: 'T47',
    breaks: 'A hang counts against every request that has not been prepared.',
    file: 'src/engine/embedded/prepare/prepares.ts',
    find: '    return this.#oldestSmall()\n',
    replace: '    return [...this.#pending.values()]\n',
    test: {
      file: 'test/faults/engine-prepare.test.ts',
      title: 'never counts against requests that only waited',
    },
  },
  {
    id: 'T47',
    breaks: 'Prompts of any size are tokenised between the messages of the engine process.',
    file: 'src/engine/embedded/child/prepare/preparer.ts',
    find: '    if (isSmall && !mustCompile()) {\n',
    replace: '    if (!mustCompile()) {\n',
    test: {
      file: 'test/faults/engine/prepare-turns.test.ts',
      title: 'keep the messages of the engine process waiting for at most 50 ms',
    },
  },
  {
    id: 'T48',
    breaks: 'The engine process does not learn that a client has hung up.',
    file: 'src/engine/embedded/prepare/prepares.ts',
    find: "    if (prepare.isSent) this.#send({ type: 'cancel', id: prepare.id })\n    else this.#remove(prepare)\n",
    replace: '    if (!prepare.isSent) this.#remove(prepare)\n',
    test: {
      file: 'src/engine/embedded/prepare/prepares.test.ts',
      title: 'drops what waits, and cancels what the engine process has',
    },
  },
  {
    id: 'T49',
    breaks: 'All large bodies are parsed in the turn in which they end.',
    file: 'src/http/request/body/parse-bodies.ts',
    find: '    if (isLarge) await turns.next()\n',
    replace: '',
    test: { file: largeBodiesTest, title: 'that end together take turns of at most 50 ms' },
  },
  {
    id: 'T49',
    breaks: 'The bytes of bodies are counted against no maximum.',
    file: 'src/completions/admission/admission.ts',
    find: `    service: bodyBytesInFlightMax,
    account: bodyBytesOfAccountMax,
    'API key': bodyBytesOfKeyMax,
`,
    replace: `    service: Infinity,
    account: Infinity,
    'API key': Infinity,
`,
    test: {
      file: 'test/faults/callers/places.test.ts',
      title: 'when they are not: 17 uploads of nearly 1 MiB in chunks',
    },
  },
  {
    id: 'T50',
    breaks: 'Counting tokens takes nothing from the limits.',
    file: 'src/http/operations/input-tokens.ts',
    find: 'const hold = isLimited ? await',
    replace: 'const hold = isLimited && services === undefined ? await',
    test: {
      file: 'test/api/chat/limits.test.ts',
      title: 'counts against requests per minute and parallel requests, and uses no tokens',
    },
  },
  {
    id: 'T51',
    breaks: 'One key may take all places of the queue.',
    file: 'src/completions/admission/admission.ts',
    find: "'API key': slots + Math.min(service, options.queueOfKeyMax ?? queueOfKeyMax),",
    replace: "'API key': Infinity,",
    test: {
      file: 'test/faults/callers/places.test.ts',
      title: 'is refused before its body is read, and others are served',
    },
  },
  {
    id: 'T52',
    breaks: 'Every refused request gets a receipt.',
    file: 'src/usage/refusals/receipt-sample.ts',
    find: '    if (own.waitMs(refusalReceiptsPerMinute, 1, atMs) > 0) return false\n',
    replace: '    if (atMs > 0) return true\n',
    test: {
      file: 'test/faults/refusal-flood.test.ts',
      title: 'a flood of refused requests stores little, and all of them are counted',
    },
  },
]

/** Sabotages that bring back losses and leaks of an earlier build, or remove settings that it lacked. */
const serviceSabotages: readonly Sabotage[] = [
  {
    id: 'T53',
    breaks: 'A settlement that fails is forgotten.',
    file: 'src/usage/upkeep/retried-writes.ts',
    find: '    this.#waiting.set(requestId, { unit, bytes })\n    this.#bytes += bytes\n',
    replace: '',
    test: {
      file: 'test/faults/ledger-lock.test.ts',
      title: 'replies that end while another process locks the ledger are settled once it is free',
    },
  },
  {
    id: 'T54',
    breaks: 'Receipts expire by the wall clock.',
    file: 'src/usage/upkeep/expiry-clock.ts',
    find: '    const ms = nowMs - knownMs > clockJumpMs ? knownMs : Math.max(nowMs, knownMs)\n',
    replace: '    const ms = Math.max(nowMs, knownMs)\n',
    test: {
      file: 'test/faults/clock-jump.test.ts',
      title: 'a start with the clock 40 days ahead deletes no receipts and forgets no replies',
    },
  },
  {
    id: 'T55',
    breaks: 'The database holds session tokens in clear.',
    file: 'src/people/hashed-session-tokens.ts',
    find: "const hash = createHash('sha256').update(token).digest('hex')",
    replace: 'const hash = token',
    test: {
      file: 'test/api/panel/database-copy.test.ts',
      title: 'a copy of the database contains no secret in clear',
    },
  },
  {
    id: 'T56',
    breaks: 'A browser that the owner has used is like any other.',
    file: 'src/people/attempts/attempts.ts',
    find: 'const device = target && this.#options.devices.find(client.headers.cookie, target.email)',
    replace: 'const device: string | undefined = undefined',
    test: {
      file: 'src/people/attempts/attempts.test.ts',
      title: 'is not refused while strangers guess, by networks or at its own address',
    },
  },
  {
    id: 'F45',
    breaks: 'A guess of a password costs no work, however many failed.',
    file: 'src/people/attempts/attempts.ts',
    find: '    this.#demandProof(subjects, client, target)\n',
    replace: '',
    test: {
      file: 'src/people/attempts/attempts.test.ts',
      title: 'needs a proof of work after some failures, from any address',
    },
  },
  {
    id: 'T57',
    breaks: 'An e-mail address counts as verified, whatever the issuer says.',
    file: 'src/people/admit-oidc-user.ts',
    find: '  if (!person.emailVerified) throw emailUnverified()\n',
    replace: '',
    test: {
      file: 'test/api/panel/oidc.test.ts',
      title: 'an e-mail address that the issuer has not verified gets no account: sign-up',
    },
  },
  {
    id: 'T58',
    breaks: 'Every host name is allowed.',
    file: 'src/http/origin/allowed-hosts.ts',
    find: 'return isIP(name) !== 0 || /^(.+\\.)?localhost$/.test(name) || names.has(name)',
    replace: 'return true',
    test: {
      file: 'test/api/network/hosts.test.ts',
      title: 'gets no set-up, sign-in or metrics',
    },
  },
  {
    id: 'T59',
    breaks: 'A stop always gives replies 30 s.',
    file: 'src/config.ts',
    find: "1000 * settings.integer('PIPIT_GRACE_SECONDS')",
    replace: '30_000',
    test: {
      file: 'test/api/chat/stream.test.ts',
      title: 'a stop cuts a running stream after PIPIT_GRACE_SECONDS, with an error event',
    },
  },
]

export const foundSabotages: readonly Sabotage[] = [...clientSabotages, ...serviceSabotages]
