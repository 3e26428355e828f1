import type { Sabotage } from '../sabotage.ts'

const logs = {
  file: 'test/api/http/logs.test.ts',
  title: 'no prompt, reply or key is in a log line, a metric, an error or a file',
}
const metrics = {
  file: 'test/api/chat/completion.test.ts',
  title: 'metrics have their own listener and contain no keys or texts',
}
const databaseCopy = {
  file: 'test/api/panel/database-copy.test.ts',
  title: 'a copy of the database contains no secret in clear',
}
const alerts = 'test/storage/spending/alerts.test.ts'

/** Sabotages that bring prompts, keys or passwords into a log, an error, a metric or a file. */
const leakSabotages: readonly Sabotage[] = [
  {
    id: 'T32',
    breaks: 'A log line has all fields that a call gives.',
    file: 'src/telemetry/logger.ts',
    find: '  const picked: Record<string, unknown> = {}\n',
    replace: '  const picked: Record<string, unknown> = { ...fields }\n',
    test: {
      file: 'src/telemetry/logger.test.ts',
      title: 'a field that is not of the list is never logged',
    },
  },
  {
    id: 'T32',
    breaks: 'The log has the path of each request, which may hold anything.',
    file: 'src/http/server.ts',
    find: '      method: request.method,\n      route,\n',
    replace: '      method: request.method,\n      route: request.url,\n',
    test: logs,
  },
  {
    id: 'T32',
    breaks: 'Receipts keep the conversation.',
    file: 'src/protocol/chat/parameters.ts',
    find: 'const given = keptNames.filter((name) => body[name] != null)',
    replace: 'const given = Object.keys(body).filter((name) => Reflect.get(body, name) != null)',
    test: logs,
  },
  {
    id: 'T32',
    breaks: 'The error at the end of a stream repeats the reply.',
    file: 'src/http/reply/event-stream.ts',
    find: `        const drained = writer.send(event)
        if (drained !== undefined) await drained
      }
      if (comment !== undefined && events === opening) stopComments = startComments(writer, comment)
      events = await next()
      stopComments()
    }
    writer.done()
  } catch (error) {
    const failure = toServiceError(error, request)
    if (error instanceof SlowReaderError) await stop()
    // Faults of the engine have their own lines in the log.
    else if (!(error instanceof ServiceError) && statusOf(failure) === 500)
      services.logger.error('a stream failed', { requestId: request.id, error })
    writer.fail(toFailure(toErrorBody(failure)))
`,
    replace: `        Object.assign(request, { sent: [Reflect.get(request, 'sent'), event] })
        const drained = writer.send(event)
        if (drained !== undefined) await drained
      }
      if (comment !== undefined && events === opening) stopComments = startComments(writer, comment)
      events = await next()
      stopComments()
    }
    writer.done()
  } catch (error) {
    const failure = toServiceError(error, request)
    if (error instanceof SlowReaderError) await stop()
    const sent = Reflect.get(request, 'sent')
    writer.fail({ ...toFailure(toErrorBody(failure)), sent })
`,
    test: logs,
  },
  {
    id: 'T33',
    breaks: 'Paths become labels of metrics.',
    file: 'src/http/server.ts',
    find: "const route = request.routeOptions.url ?? 'unknown'",
    replace: 'const route = request.url',
    test: metrics,
  },
  {
    id: 'T33',
    breaks: 'Keys become labels of metrics.',
    file: 'src/http/server.ts',
    find: 'metrics.requests.inc({ route, status })',
    replace: "metrics.requests.inc({ route: `${route} ${request.caller?.keyId ?? ''}`, status })",
    test: metrics,
  },
  {
    id: 'T58',
    breaks: 'Metrics are served under every host name.',
    file: 'src/http/metrics-server.ts',
    find: "if (!isAllowedHost(request.headers.host ?? ''))",
    replace: "if (!isAllowedHost('localhost'))",
    test: {
      file: 'test/api/network/hosts.test.ts',
      title: 'gets no set-up, sign-in or metrics',
    },
  },
  {
    id: 'T58',
    breaks: 'A host name that ends with that of this machine is one of its own.',
    file: 'src/http/origin/allowed-hosts.ts',
    find: String.raw`/^(.+\.)?localhost$/.test(name)`,
    replace: String.raw`/localhost$/.test(name)`,
    test: {
      file: 'test/api/network/hosts.test.ts',
      title: 'gets no set-up, sign-in or metrics',
    },
  },
  {
    id: 'T33',
    breaks: 'Metrics can be read from other machines.',
    file: 'src/http/metrics-server.ts',
    find: "server.listen(port, '127.0.0.1', () => {",
    replace: "server.listen(port, '0.0.0.0', () => {",
    test: {
      file: 'test/faults/listeners.test.ts',
      title: 'the service listens on loopback only, and its engine does not listen',
    },
  },
  {
    id: 'T44',
    breaks: 'The database holds links that create accounts in clear.',
    file: 'src/people/one-time-links.ts',
    find: "return createHash('sha256').update(secret).digest('hex')",
    replace: 'return secret',
    test: databaseCopy,
  },
  {
    id: 'T44',
    breaks: 'The database holds whole keys beside their digests.',
    file: 'src/accounts/api-key-store.ts',
    find: '    last_chars: endOfKey(key),\n    created_ms: nowMs,\n',
    replace: '    last_chars: key,\n    created_ms: nowMs,\n',
    test: databaseCopy,
  },
  {
    id: 'T44',
    breaks: 'The database holds in clear which sign-ins wait for a code.',
    file: 'src/people/better-auth.ts',
    find: "    storeIdentifier: 'hashed',\n",
    replace: '',
    test: databaseCopy,
  },
  {
    id: 'T44',
    breaks: 'Other users of the machine can read the secret that signs cookies.',
    file: 'src/storage/secret-file.ts',
    find: "openSync(temporary, 'wx', 0o600)",
    replace: "openSync(temporary, 'wx', 0o644)",
    test: {
      file: 'test/storage/panel-secret.test.ts',
      title: 'a new service keeps its secret beside the database, for its owner only',
    },
  },
]

/** Sabotages that give credentials of the alerts away, or let others choose where alerts go. */
const alertSabotages: readonly Sabotage[] = [
  {
    id: 'T60',
    breaks: 'Redirects of a webhook are followed.',
    file: 'src/spending/alerts/webhook.ts',
    find: "redirect: 'manual',",
    replace: "redirect: 'follow',",
    test: { file: alerts, title: 'redirects are not followed' },
  },
  {
    id: 'T60',
    breaks: 'A stored password goes to any server that an administrator enters.',
    file: 'src/spending/alerts/alert-settings.ts',
    find: 'const kept = isSame && before.encryption === encryption ? before.password : undefined',
    replace: 'const kept = before?.password',
    test: { file: alerts, title: 'a kept password goes to no other server' },
  },
  {
    id: 'T60',
    breaks: 'A password is sent without encryption.',
    file: 'src/spending/alerts/alert-settings.ts',
    find: "if (user !== undefined && encryption === 'none')",
    replace: "if (user === '' && encryption === 'none')",
    test: { file: alerts, title: 'a kept password goes to no other server' },
  },
  {
    id: 'T60',
    breaks: 'An address of an e-mail may have line breaks, and so further headers.',
    file: 'src/spending/alerts/alert-settings.ts',
    find: String.raw`/^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/.test(text)`,
    replace: String.raw`/^[^@]+@[^]+$/.test(text)`,
    test: { file: alerts, title: 'a kept password goes to no other server' },
  },
  {
    id: 'T60',
    breaks: 'The panel shows the password of the mail server.',
    file: 'src/http/panel/spending/alerts.ts',
    find: '    has_password: password !== undefined,\n',
    replace: '    has_password: password !== undefined,\n    ...{ password },\n',
    test: {
      file: 'test/api/panel/alerts.test.ts',
      title: 'the password of the mail server is not shown again',
    },
  },
  {
    id: 'T60',
    breaks: 'Every user may read where alerts go.',
    file: 'src/http/panel/spending/alerts.ts',
    find: 'operation(contracts.read, adminOnly)',
    replace: "operation(contracts.read, { ...adminOnly, role: 'any' })",
    test: {
      file: 'test/api/panel/alerts.test.ts',
      title: 'members neither see nor change budgets and alerts',
    },
  },
]

export const outputSabotages: readonly Sabotage[] = [...leakSabotages, ...alertSabotages]
