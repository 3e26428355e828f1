import type { Sabotage } from '../sabotage.ts'

const routing = 'test/api/upstream/routing.test.ts'
const lies = 'test/api/upstream/lies.test.ts'

/** Sabotages of the handling of upstream engines that refuse, are cut off or lie. */
export const upstreamSabotages: readonly Sabotage[] = [
  {
    id: 'F35',
    breaks: 'A request that an upstream refuses is not sent to another one.',
    file: 'src/engine/upstream/upstream-engine.ts',
    find: 'if (!isAllowed || !this.#endpoints.hasOther(tried)',
    replace: 'if (isAllowed || !this.#endpoints.hasOther(tried)',
    test: { file: routing, title: 'a request that one upstream has no room for goes to another' },
  },
  {
    id: 'F35',
    breaks: 'Retries have no maximum.',
    file: 'src/engine/upstream/retry-budget.ts',
    find: 'if (this.#left < 1) return false',
    replace: 'if (this.#left < -1e9) return false',
    test: { file: routing, title: 'when all upstreams fail, few requests are tried again' },
  },
  {
    id: 'F36',
    breaks: 'A reply that has begun is tried again at another upstream.',
    file: 'src/engine/upstream/upstream-engine.ts',
    find: `if (hasBegun) throw toErrorOfPart(error)
        const isAllowed =
          error.isRetryable &&`,
    replace: 'const isAllowed = (error.isRetryable || hasBegun) &&',
    test: { file: routing, title: 'a reply that has begun is never tried again' },
  },
  {
    id: 'F36',
    breaks: 'A stream that is cut counts as a whole reply.',
    file: 'src/engine/upstream/wire/reply-reader.ts',
    find: "      throw new UpstreamFault('failed', 'the stream ended without a finish reason')",
    replace: "      this.#finish = 'stop'",
    test: { file: lies, title: 'a lie in the middle of a reply ends it with an error event' },
  },
  {
    id: 'F37',
    breaks: 'Any count of tokens is believed.',
    file: 'src/engine/upstream/wire/reply-reader.ts',
    find: 'if (count === undefined || count > maxTokens + 1 || (count === 0 && this.#chunks > 0))',
    replace: 'if (count === undefined)',
    test: { file: lies, title: 'counts that cannot be are replaced by our own' },
  },
  {
    id: 'F37',
    breaks: 'Text after the finish reason is passed on.',
    file: 'src/engine/upstream/wire/reply-reader.ts',
    find: "      throw new UpstreamFault('failed', 'content after the finish reason')",
    replace: '      return',
    test: { file: lies, title: 'a lie in the middle of a reply ends it with an error event' },
  },
  {
    id: 'F38',
    breaks: 'A probe does not wait for a generated token.',
    file: 'src/engine/upstream/endpoints/probe.ts',
    find: '  const { status, text } = await connections.fetchText(exchange, signal)\n  const choices',
    replace:
      '  void connections.fetchText(exchange, signal).catch(() => {})\n  const [status, text] = [200, \'{"choices":[{}]}\']\n  const choices',
    test: { file: routing, title: 'an upstream whose health is fine but that generates nothing' },
  },
]
