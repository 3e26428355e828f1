import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { modelId } from '../../../../src/protocol/chat/model-id.ts'
import type { OpenApi } from '../../../../src/http/reference/openapi.ts'
import { CodeBlock } from '../../components/code-snippets.tsx'
import { addressOfOldAnchor } from '../../reference/anchors.ts'
import { apiDocumentQuery } from '../../reference/api-document-query.ts'
import { guideRequests } from '../../reference/guide-requests.ts'
import { guides } from '../../reference/guides.ts'
import { textOf } from '../../reference/json.ts'
import { Guide, Part } from './parts/article.tsx'
import { Prose } from './parts/prose.tsx'
import { ReferenceLink } from './parts/reference-link.tsx'
import { RequestCode } from './parts/request-code.tsx'

/** The first page: base URL, key and a first request. */
export function IntroductionPage() {
  const { data: api } = useSuspenseQuery(apiDocumentQuery)
  const navigate = useNavigate()
  useEffect(() => {
    // Redirects links from when `/docs` was a single page.
    const address = addressOfOldAnchor(api, location.hash)
    if (address !== undefined) void navigate({ href: address, replace: true })
  }, [api, navigate])
  return (
    <Guide
      title="API reference"
      description={
        <>
          {textOf(api.info['summary'])} Version {textOf(api.info['version'])}. The API is compatible
          with OpenAI’s Chat Completions.
        </>
      }
    >
      <Part
        id="first-request"
        title="First request"
        aside={<RequestCode title="First request" request={guideRequests.first} />}
      >
        <p>
          Create an API key in the panel, under <a href="/keys">API keys</a>. Put it into the
          environment variable <code>PIPIT_API_KEY</code>, then run the code. It needs no package.
        </p>
        <p>
          The panel shows a key only once, because Pipit stores a hash of it. A key that you create,
          rotate or paste in this tab is filled into the examples until you reload the tab or sign
          out.
        </p>
      </Part>
      <Part
        id="authentication"
        title="Base URL and key"
        aside={<CodeBlock label="Base URL" code={`${location.origin}/v1`} />}
      >
        <p>
          Every request sends its key in the header <code>Authorization: Bearer …</code>. A key with
          the scope <code>chat</code> creates completions; one with <code>read</code> reads
          receipts.
        </p>
        <p>
          To use an OpenAI client, set this base URL and the model <code>{modelId}</code>.
        </p>
      </Part>
      <Rules api={api} />
    </Guide>
  )
}

function Rules({ api }: { api: OpenApi }) {
  return (
    <Part id="rules" title="What you can rely on">
      <p>
        <Prose text={textOf(api.info['description'])} />
      </p>
      <p>
        Every response has the header <code>x-request-id</code>. With it,{' '}
        <ReferenceLink address="/docs/operations/retrieveRequest">the receipt</ReferenceLink> says
        what happened to a completion.
      </p>
      <p>
        Guides:{' '}
        {guides.map(({ slug, title }, i) => (
          <span key={slug}>
            {i > 0 && ', '}
            <ReferenceLink address={`/docs/${slug}`}>{title}</ReferenceLink>
          </span>
        ))}
        . These pages are made from <a href="/openapi.json">openapi.json</a>, which you can import
        into your tools.
      </p>
    </Part>
  )
}
