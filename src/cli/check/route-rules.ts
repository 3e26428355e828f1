import {
  at,
  must,
  mustRefuse,
  mustSucceed,
  NotApplicable,
  type Rule,
  show,
  skipUnlessOffered,
} from './rule.ts'
import type { Target } from './target.ts'

const get = (target: Target, path: string) => target.ask({ method: 'GET', path })

/** Rules on the other operations. If an optional operation is missing, its rule is not applicable. */
export const routeRules: Rule[] = [
  {
    id: 'route.unknown',
    of: 'field',
    says: 'an unknown path is 404 with a JSON error',
    check: async (target) => mustRefuse(await get(target, '/v1/nothing-here'), { status: 404 }),
  },
  {
    id: 'route.method',
    of: 'field',
    says: 'an unsupported method is 405 with an Allow header',
    check: async (target) => {
      const reply = await get(target, '/v1/chat/completions')
      mustRefuse(reply, { status: 405 })
      must(
        reply.headers.get('allow')?.includes('POST') === true,
        `allow ${show(reply.headers.get('allow'))}`,
      )
    },
  },
  {
    id: 'models.list',
    of: 'field',
    says: 'GET /v1/models lists the model',
    check: async (target) => {
      const list = mustSucceed(await get(target, '/v1/models'))
      const data = at(list, 'data')
      const ids = Array.isArray(data) ? data.map((one) => at(one, 'id')) : []
      must(ids.includes(target.model), show(list))
    },
  },
  {
    id: 'models.one',
    of: 'field',
    says: 'GET /v1/models/{id} returns the model, and 404 for an unknown id',
    check: async (target) => {
      const found = mustSucceed(await get(target, `/v1/models/${encodeURIComponent(target.model)}`))
      must(at(found, 'id') === target.model, show(found))
      mustRefuse(await get(target, '/v1/models/gpt-unknown'), { status: 404 })
    },
  },
  {
    id: 'health',
    of: 'pipit',
    says: 'GET /healthz and /readyz answer without a key',
    check: async (target) => {
      for (const path of ['/healthz', '/readyz']) {
        const reply = await target.ask({ method: 'GET', path, key: null })
        skipUnlessOffered(reply)
        must(reply.status === 200, `${path}: status ${reply.status}`)
      }
    },
  },
  {
    id: 'receipt',
    of: 'pipit',
    says: 'GET /v1/requests/{x-request-id} returns the receipt of a request, without its prompt',
    check: async (target) => {
      const reply = await target.keptChat()
      const id = reply.headers.get('x-request-id')
      if (id === null) throw new NotApplicable('no x-request-id')
      const receipt = await get(target, `/v1/requests/${encodeURIComponent(id)}`)
      skipUnlessOffered(receipt)
      const usage = at(mustSucceed(receipt), 'usage', 'total_tokens')
      must(usage === at(reply.json, 'usage', 'total_tokens'), `total_tokens ${show(usage)}`)
      must(!receipt.text.includes('Who are you'), 'the receipt contains the prompt')
    },
  },
  {
    id: 'key.state',
    of: 'pipit',
    says: 'GET /v1/key returns the key with its limits',
    check: async (target) => {
      const reply = await get(target, '/v1/key')
      skipUnlessOffered(reply)
      mustSucceed(reply)
    },
  },
  {
    id: 'input_tokens',
    of: 'pipit',
    says: 'the pre-flight counts as many prompt tokens as the completion',
    check: async (target) => {
      const reply = await target.chat({}, { path: '/v1/chat/completions/input_tokens' })
      skipUnlessOffered(reply)
      const counted = at(mustSucceed(reply), 'input_tokens')
      const used = at(mustSucceed(await target.keptChat()), 'usage', 'prompt_tokens')
      must(
        Number.isInteger(counted) && counted === used,
        `${show(counted)}, but the completion has ${show(used)}`,
      )
    },
  },
  {
    id: 'tokenize',
    of: 'pipit',
    says: 'POST /v1/tokenize lists the tokens of a text, whose bytes are those of the text',
    check: async (target) => {
      const text = 'A pipit, é 🐦'
      const reply = await target.ask({ path: '/v1/tokenize', body: { model: target.model, text } })
      skipUnlessOffered(reply)
      const tokens = at(mustSucceed(reply), 'tokens')
      must(Array.isArray(tokens), show(tokens))
      const bytes = tokens.flatMap((token) => [at(token, 'bytes')].flat().map(Number))
      must(Buffer.from(bytes).toString() === text, show(tokens))
      must(
        tokens.every((token) => Number.isInteger(at(token, 'id'))),
        show(tokens),
      )
    },
  },
  {
    id: 'idempotency',
    of: 'pipit',
    says: 'a repeat with the same Idempotency-Key returns the same completion; another body is refused',
    check: async (target) => {
      const headers = {
        'idempotency-key': `check-${Date.now()}-${Math.random().toString(36).slice(2)}`,
      }
      const [one, two] = [await target.chat({}, { headers }), await target.chat({}, { headers })]
      if (
        two.headers.get('idempotency-replayed') === null &&
        at(one.json, 'id') !== at(two.json, 'id')
      )
        throw new NotApplicable('two completions: not supported')
      must(at(mustSucceed(one), 'id') === at(mustSucceed(two), 'id'), 'the ids differ')
      mustRefuse(await target.chat({ max_tokens: 2 }, { headers }), { status: 422 })
    },
  },
  {
    id: 'openapi',
    of: 'pipit',
    says: 'GET /openapi.json describes the operation',
    check: async (target) => {
      const reply = await get(target, '/openapi.json')
      skipUnlessOffered(reply)
      const found = mustSucceed(reply)
      must(String(at(found, 'openapi')).startsWith('3.'), `openapi ${show(at(found, 'openapi'))}`)
      must(
        at(found, 'paths', '/v1/chat/completions', 'post') !== undefined,
        'the operation is missing',
      )
    },
  },
]
