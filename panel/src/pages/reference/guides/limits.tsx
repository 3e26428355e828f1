import { useSuspenseQuery } from '@tanstack/react-query'
import { keyLimits } from '../../../../../src/key-limits.ts'
import { apiDocumentQuery } from '../../../reference/api-document-query.ts'
import { guideRequests } from '../../../reference/guide-requests.ts'
import { objectOf } from '../../../reference/json.ts'
import { fieldsOf } from '../../../reference/schema-fields.ts'
import { Guide, Part } from '../parts/article.tsx'
import { Prose } from '../parts/prose.tsx'
import { ReferenceLink } from '../parts/reference-link.tsx'
import { RequestCode } from '../parts/request-code.tsx'

const named = ['messages', 'max_tokens', 'n', 'stop', 'tools', 'logit_bias']

export function LimitsGuide() {
  return (
    <Guide
      title="Limits"
      description="What a key may use, how large a request may be, and what happens when the service is busy."
    >
      <Part
        id="own"
        title="Limits of a key and an account"
        aside={<RequestCode title="Limits" request={guideRequests.limits} />}
      >
        <p>A key can have these limits, and so can its account, for all of its keys together:</p>
        <ul>
          {keyLimits.map(({ wireName, description }) => (
            <li key={wireName}>
              <code>{wireName}</code>: {description}
            </li>
          ))}
        </ul>
        <p>
          A request reserves its prompt and, for each choice, <code>max_tokens</code> or what the
          context leaves, whichever is less. It returns what it does not use. A limit of n per
          minute allows a burst of n, and one more every 60/n seconds.
        </p>
      </Part>
      <Part id="headers" title="Headers">
        <p>
          Responses to a limited key have <code>x-ratelimit-limit-requests</code>,{' '}
          <code>x-ratelimit-remaining-requests</code> and <code>x-ratelimit-reset-requests</code>,
          and the same three for <code>tokens</code>. They describe the limit that is closer: the
          key’s or the account’s.
        </p>
        <p>
          For a limit per minute,{' '}
          <ReferenceLink address="/docs/errors#rate_limit_exceeded">
            rate_limit_exceeded
          </ReferenceLink>{' '}
          has the waiting time in <code>Retry-After</code>. With <code>x-should-retry: false</code>,
          the request itself exceeds the limit.{' '}
          <ReferenceLink address="/docs/errors#insufficient_quota">
            insufficient_quota
          </ReferenceLink>{' '}
          is for a day or a month. Neither uses any quota.
        </p>
      </Part>
      <RequestLimits />
      <Part id="queue" title="Waiting for a slot">
        <p>
          When all slots are busy, requests wait and the engine is shared: accounts get equal
          shares, and so do the keys of one account. A request waits at most 30 s; otherwise it gets{' '}
          <ReferenceLink address="/docs/errors#overloaded">overloaded</ReferenceLink>. To wait less,
          send <code>X-Request-Timeout-Ms</code>. A key has at most 256 waiting requests and 16 MiB
          of request bodies in the service.
        </p>
      </Part>
    </Guide>
  )
}

function RequestLimits() {
  const { data: api } = useSuspenseQuery(apiDocumentQuery)
  const fields = fieldsOf(objectOf(api.components.schemas['ChatCompletionRequest']))
  return (
    <Part
      id="service"
      title="Limits of one request"
      aside={<RequestCode title="Count tokens" request={guideRequests.count} />}
    >
      <ul>
        <li>The body is JSON of at most 1 MiB, 20,000 members, and 50,000 names and values.</li>
        {fields
          .filter(({ name, bounds }) => named.includes(name) && bounds.length > 0)
          .map(({ name, bounds }) => (
            <li key={name}>
              <code>{name}</code>: <Prose text={bounds.join(' ')} />
            </li>
          ))}
      </ul>
      <p>
        Prompt and reply share the context window. Count the tokens of a request first, without
        generating anything. The reply says what is left.
      </p>
    </Part>
  )
}
