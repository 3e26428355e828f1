import type { Sabotage } from '../sabotage.ts'

const attempts = 'src/people/attempts/attempts.ts'
const proofs = 'src/people/attempts/proofs.ts'
const origin = 'src/http/access/check-session.ts'
const betterAuth = 'src/people/better-auth.ts'
const attemptsTest = 'src/people/attempts/attempts.test.ts'
const proxiesTest = 'test/api/network/trusted-proxies.test.ts'
const oneTimeCodes = 'src/people/second-factors/one-time-codes.ts'
const codesTest = 'test/api/panel/two-factor.test.ts'
const attackTest = 'test/api/panel/sign-in-attack.test.ts'
const routesTest = 'test/api/panel/routes.test.ts'
const sessionTest = 'test/api/panel/session.test.ts'
const httpsTest = 'test/api/cli/accounts.test.ts'

/** Sabotages that make passwords and codes easier to guess. */
const guessSabotages: readonly Sabotage[] = [
  {
    id: 'T10',
    breaks: 'Each address of a /64 counts as a network of its own.',
    file: 'src/addresses.ts',
    find: 'groups.slice(0, 4)',
    replace: 'groups.slice(0, 8)',
    test: { file: attemptsTest, title: 'addresses of one /64 count as one network' },
  },
  {
    id: 'T56',
    breaks: 'After many failures everyone at a network has to wait, whatever they prove.',
    file: attempts,
    find: 'waitFrom: Infinity,\n    waitMaxMs: 0',
    replace: 'waitFrom: 1000,\n    waitMaxMs: 60_000',
    test: { file: attemptsTest, title: 'cannot keep out the owner at the same network' },
  },
  {
    id: 'T10',
    breaks: 'Strangers do not wait between guesses of a code.',
    file: attempts,
    find: 'waitFrom: isCode ? attemptsOfAccountFree : Infinity',
    replace: 'waitFrom: Infinity',
    test: { file: attemptsTest, title: 'strangers wait up to 15 minutes for the next code' },
  },
  {
    id: 'T10',
    breaks: 'Each sign-in of the owner gives strangers new guesses.',
    file: attempts,
    find: 'count: tried.count - 1',
    replace: 'count: 0',
    test: { file: attemptsTest, title: 'gets no more guesses when the owner signs in' },
  },
  {
    id: 'T10',
    breaks: 'A proof of work counts for any number of guesses.',
    file: proofs,
    find: ' || this.#used.has(challenge)) return false',
    replace: ') return false',
    test: { file: attemptsTest, title: 'uses a proof once, for one account' },
  },
  {
    id: 'T10',
    breaks: 'A proof of work for one account counts for all accounts.',
    file: proofs,
    find: 'update(`${facts}.${purpose}`)',
    replace: 'update(facts)',
    test: { file: attemptsTest, title: 'uses a proof once, for one account' },
  },
  {
    id: 'T10',
    breaks: 'A proof of work never expires.',
    file: proofs,
    find: 'Number(expiresMs) < this.#now() || ',
    replace: '',
    test: { file: attemptsTest, title: 'uses a proof once, for one account' },
  },
  {
    id: 'T10',
    breaks: 'A client chooses how much work its proof takes.',
    file: proofs,
    find: 'if (!equal(signature, this.#sign(facts, purpose)) || ',
    replace: 'if (',
    test: { file: attemptsTest, title: 'for a proof' },
  },
  {
    id: 'T10',
    breaks: 'Every client may name its address in `X-Forwarded-For`.',
    file: 'src/http/origin/client-address.ts',
    find: "if (typeof forwardedFor !== 'string' || !isTrusted(client)) return client",
    replace: "if (typeof forwardedFor !== 'string') return client",
    test: { file: proxiesTest, title: 'forwarded headers of any other peer are ignored' },
  },
  {
    id: 'T10',
    breaks: 'The first address of `X-Forwarded-For` counts, which the client has written.',
    file: 'src/http/origin/client-address.ts',
    find: '    if (!isTrusted(client)) return client\n  }',
    replace: '  }',
    test: {
      file: proxiesTest,
      title: 'addresses that the client writes in front of its own do not count',
    },
  },
  {
    id: 'T10',
    breaks: 'A forged cookie makes a browser one of the owner.',
    file: 'src/people/attempts/devices.ts',
    find: 'if (right.length !== given.length || !timingSafeEqual(right, given)) return undefined',
    replace:
      'if (right.length !== given.length && !timingSafeEqual(right, right)) return undefined',
    test: {
      file: attemptsTest,
      title: 'is a stranger for other users, with a changed cookie and after a year',
    },
  },
  {
    id: 'T10',
    breaks: 'Of two pending sign-ins in one request, the first one is counted.',
    file: 'src/people/panel-auth.ts',
    find: 'if (user && others.length === 0) return user.email',
    replace: 'if (user) return user.email',
    test: {
      file: attackTest,
      title: 'two pending sign-ins in one request cannot hide the account',
    },
  },
]

/** Sabotages that let pages of other sites use a session, or let another client learn or choose its id. */
const sessionSabotages: readonly Sabotage[] = [
  {
    id: 'T11',
    breaks: 'Pages of any origin may make changes.',
    file: origin,
    find: '  if (origin === own) return\n',
    replace: '  if (own !== undefined) return\n',
    test: { file: routesTest, title: 'a request from a page of another origin' },
  },
  {
    id: 'T11',
    breaks: 'A change needs no header `Origin`.',
    file: origin,
    find: '  if (origin === own) return\n',
    replace: '  if (origin === own || origin === undefined) return\n',
    test: { file: routesTest, title: 'a request from a page of another origin' },
  },
  {
    id: 'T11',
    breaks: 'A page without an origin, such as one in a sandboxed frame, may make changes.',
    file: origin,
    find: '  if (origin === own) return\n',
    replace: "  if (origin === own || origin === 'null') return\n",
    test: { file: routesTest, title: 'a request from a page of another origin' },
  },
  {
    id: 'T11',
    breaks: 'A form of another site can send a change.',
    file: 'src/http/access/access.ts',
    find: '    assertOwnOrigin(request, checks.publicOrigin)\n    assertJsonBody(request.headers)\n',
    replace: '    assertOwnOrigin(request, checks.publicOrigin)\n',
    test: { file: routesTest, title: 'a request from a page of another origin' },
  },
  {
    id: 'T11',
    breaks: 'With a public URL, any origin may make changes that has the name of the request.',
    file: origin,
    find: 'const own = publicOrigin ?? `${protocol}://${host}`',
    replace: 'const own = `${protocol}://${host}`',
    test: { file: httpsTest, title: 'only the public origin may write' },
  },
  {
    id: 'T11',
    breaks: 'Pages of any origin can read what the panel answers.',
    file: 'src/http/request/cross-origin.ts',
    find: 'if (headers.origin === undefined || !isApi(url)) return {}',
    replace: 'if (headers.origin === undefined || url === undefined) return {}',
    test: { file: 'test/api/http/cross-origin.test.ts', title: 'a request without an origin' },
  },
  {
    id: 'T11',
    breaks: 'Browsers send the session with requests of other sites.',
    file: betterAuth,
    find: 'defaultCookieAttributes: { secure: isSecure(url) }',
    replace: "defaultCookieAttributes: { secure: isSecure(url), sameSite: 'none' }",
    test: { file: sessionTest, title: 'is a cookie that scripts and other sites cannot read' },
  },
  {
    id: 'T12',
    breaks: 'Scripts can read the cookie of the session.',
    file: betterAuth,
    find: 'defaultCookieAttributes: { secure: isSecure(url) }',
    replace: 'defaultCookieAttributes: { secure: isSecure(url), httpOnly: false }',
    test: { file: sessionTest, title: 'is a cookie that scripts and other sites cannot read' },
  },
  {
    id: 'T12',
    breaks: 'The reply to a sign-in holds the token of the session, which scripts can read.',
    file: 'src/http/panel/auth-reply.ts',
    find: 'const shown = withoutSecret(content)',
    replace: 'const shown = content',
    test: { file: sessionTest, title: 'is a cookie that scripts and other sites cannot read' },
  },
  {
    id: 'T12',
    breaks: 'The session of before a sign-in goes on.',
    file: betterAuth,
    find: '          await internalAdapter.deleteSession(before)\n',
    replace: '          void internalAdapter\n',
    test: { file: sessionTest, title: 'ends when the browser signs in again' },
  },
  {
    id: 'T12',
    breaks: 'Over https, cookies can also be set over http and by other hosts of the domain.',
    file: betterAuth,
    find: "return isSecure(url) ? '__Host-pipit' : 'pipit'",
    replace: "return 'pipit'",
    test: { file: httpsTest, title: 'with an https URL the cookie is bound to the host' },
  },
]

/** Sabotages that let a code of an authenticator app be used again. */
const codeSabotages: readonly Sabotage[] = [
  {
    id: 'T61',
    breaks: 'A code is not compared with the last one that was used.',
    file: oneTimeCodes,
    find: ".where('two_factor_steps.step', '<', step)",
    replace: ".where('two_factor_steps.step', '<=', step)",
    test: { file: codesTest, title: 'a code of the app works once' },
  },
]

export const signInSabotages: readonly Sabotage[] = [
  ...guessSabotages,
  ...sessionSabotages,
  ...codeSabotages,
]
