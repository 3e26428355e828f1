import type { Sabotage } from '../sabotage.ts'

const authenticate = 'src/http/access/authenticate.ts'
const authentication = 'test/api/http/authentication.test.ts'
const start = 'test/faults/start.test.ts'

/** Sabotages of the addresses that the service listens on, and of the check of API keys. */
export const accessSabotages: readonly Sabotage[] = [
  {
    id: 'T1',
    breaks: 'Without settings, the service listens on all addresses.',
    file: 'src/settings/settings-table.ts',
    find: "    default: '127.0.0.1',\n",
    replace: "    default: '0.0.0.0',\n",
    test: { file: 'src/config.test.ts', title: 'without settings the service is private' },
  },
  {
    id: 'T1',
    breaks: 'An address that other machines can reach needs no key.',
    file: 'src/http/listen.ts',
    find: 'if (hasKey || isLoopback(host)) return',
    replace: 'if (true || isLoopback(host)) return',
    test: { file: start, title: 'an address that other machines can reach is refused' },
  },
  {
    id: 'T1',
    breaks: 'Only 0.0.0.0 counts as an address that other machines can reach.',
    file: 'src/http/listen.ts',
    find: 'if (hasKey || isLoopback(host)) return',
    replace: "if (hasKey || host !== '0.0.0.0') return",
    test: { file: start, title: 'an address that other machines can reach is refused' },
  },
  {
    id: 'T2',
    breaks: 'The engine process may open sockets.',
    file: 'src/engine/embedded/native/sandbox/system-call-filter.cc',
    find: '    SYS_socket,\n    SYS_connect,\n    SYS_bind,\n    SYS_listen,\n    SYS_accept,\n    SYS_accept4,\n',
    replace: '',
    test: { file: 'test/faults/sandbox.test.ts', title: 'reaches no network and no program' },
  },
  {
    id: 'T3',
    breaks: 'The check of the key looks at the text of the path, not at the operation.',
    file: 'src/http/access/access.ts',
    find: 'request.caller = authenticate(request.raw, checks.checkKey)',
    replace: `request.caller = request.url.startsWith('/v1/')
            ? authenticate(request.raw, checks.checkKey)
            : ({ accountId: '', keyId: '', name: '', accountName: '', scopes: ['chat', 'read'], limits: {}, accountLimits: {}, createdMs: 0, revoked: new AbortController().signal } as never)`,
    test: { file: authentication, title: 'no spelling of a path or host gets past the key check' },
  },
  {
    id: 'T3',
    breaks: 'The check of the key looks at the path before its letters are decoded.',
    file: 'src/http/access/access.ts',
    find: 'request.caller = authenticate(request.raw, checks.checkKey)',
    replace: `request.caller = /^(https?:\\/\\/[^/]+)?\\/v1\\//.test(request.url)
            ? authenticate(request.raw, checks.checkKey)
            : ({ accountId: '', keyId: '', name: '', accountName: '', scopes: ['chat', 'read'], limits: {}, accountLimits: {}, createdMs: 0, revoked: new AbortController().signal } as never)`,
    test: { file: authentication, title: 'no spelling of a path or host gets past the key check' },
  },
  {
    id: 'T3',
    breaks: 'The list of models needs no key.',
    file: 'src/http/operations/models.ts',
    find: "{ auth: 'api-key', scope: 'any' }",
    replace: "{ auth: 'none' }",
    test: { file: authentication, title: 'without a key is 401 missing_api_key' },
  },
  {
    id: 'T3',
    breaks: 'A member of the panel may do what only administrators may do.',
    file: 'src/http/access/check-session.ts',
    find: "if (role === 'admin' && user.role !== 'admin')",
    replace: "if (role === 'admin' && user.userId === '')",
    test: { file: 'test/api/panel/routes.test.ts', title: 'is for administrators only' },
  },
  {
    id: 'T3',
    breaks: 'The scopes of a key are not checked.',
    file: 'src/http/access/access.ts',
    find: '          requireScope(request.caller, access.scope)\n',
    replace: '',
    test: { file: 'test/api/chat/limits.test.ts', title: 'a key with only the scope' },
  },
  {
    id: 'T4',
    breaks: 'A key in the header `x-api-key` is accepted.',
    file: authenticate,
    find: '  const [header] = headers\n',
    replace:
      "  const other = request.headers['x-api-key']\n  if (headers.length === 0 && typeof other === 'string') headers.push(`Bearer ${other}`)\n  const [header] = headers\n",
    test: { file: authentication, title: 'accepts the key only as a Bearer credential' },
  },
  {
    id: 'T4',
    breaks: 'A key in the query is accepted.',
    file: authenticate,
    find: '  const [header] = headers\n',
    replace:
      "  const other = new URL(request.url ?? '/', 'http://x').searchParams.get('api_key')\n  if (headers.length === 0 && other !== null) headers.push(`Bearer ${other}`)\n  const [header] = headers\n",
    test: { file: authentication, title: 'accepts the key only as a Bearer credential' },
  },
  {
    id: 'T4',
    breaks: 'Of two headers with credentials, the first one counts.',
    file: authenticate,
    find: 'headers.length === 1 ? bearerCredential(header)',
    replace: 'headers.length >= 1 ? bearerCredential(header)',
    test: { file: authentication, title: 'a request with two Authorization headers is refused' },
  },
  {
    id: 'T5',
    breaks: 'A well-formed key that does not exist gets another error than a mistyped one.',
    file: 'src/accounts/api-keys.ts',
    find: 'if (digest === undefined || key === undefined) return undefined',
    replace: `if (digest !== undefined && key === undefined) throw new Error('There is no such key.')
    if (digest === undefined || key === undefined) return undefined`,
    test: { file: authentication, title: 'a wrong key, a mistyped key, an unknown key' },
  },
  {
    id: 'T5',
    breaks: 'Some characters of keys are more likely than others.',
    file: 'src/accounts/api-key-text.ts',
    find: 'const fairBelow = 256 - (256 % alphabet.length)',
    replace: 'const fairBelow = 256',
    test: { file: 'src/accounts/api-key-text.test.ts', title: 'every character is equally likely' },
  },
  {
    id: 'T5',
    breaks: 'The sign-in says that there is no user with an e-mail address.',
    file: 'src/people/panel-auth.ts',
    find: '    const response = await auth.handler(',
    replace: `    if (path === '/sign-in/email') {
      const { internalAdapter } = await auth.$context
      if ((await internalAdapter.findUserByEmail(JSON.parse(body ?? '{}').email)) === null)
        throw new ServiceError('invalid_credentials', 'There is no user with this e-mail address.')
    }
    const response = await auth.handler(`,
    test: {
      file: 'test/api/panel/session.test.ts',
      title: 'an unknown address and a wrong password get the same response',
    },
  },
]
