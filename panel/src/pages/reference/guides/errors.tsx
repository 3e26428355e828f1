import { useSuspenseQuery } from '@tanstack/react-query'
import { apiDocumentQuery } from '../../../reference/api-document-query.ts'
import { type ErrorCodeFacts, errorCodesOf } from '../../../reference/api-document.ts'
import { CodeBlock } from '../../../components/code-snippets.tsx'
import { textOf } from '../../../reference/json.ts'
import { Guide, Part } from '../parts/article.tsx'
import { Prose } from '../parts/prose.tsx'
import { ReferenceLink } from '../parts/reference-link.tsx'
import classes from './errors.module.css'

/** Explains every code. The codes, their statuses and the texts come from the OpenAPI document. */
export function ErrorsGuide() {
  const { data: api } = useSuspenseQuery(apiDocumentQuery)
  const codes = errorCodesOf(api)
  const described = JSON.stringify(api.components.responses)
  const isOfApi = ({ code }: ErrorCodeFacts) =>
    described.includes(`/examples/${code}"`) || code === 'method_not_supported'
  return (
    <Guide
      title="Errors"
      description="Every error has a code for your program and a message for people."
    >
      <Part id="form" title="Form">
        <p>
          The body is an{' '}
          <ReferenceLink address="/docs/objects/ErrorReply">ErrorReply</ReferenceLink>. Decide by{' '}
          <code>code</code>: messages can change. <code>param</code> is the path of the field at
          fault, such as <code>messages[0].content</code>.
        </p>
      </Part>
      <Part id="retries" title="Retries">
        <p>
          Retry 408, 409, 429, 500, 503 and 504. Wait as long as <code>Retry-After</code> says, if
          it is there. Do not retry a 429 with <code>x-should-retry: false</code>, or other statuses
          of 400 and above: the same request gets the same error. To repeat a completion safely,
          send an <ReferenceLink address="/docs/idempotency">Idempotency-Key</ReferenceLink>.
        </p>
      </Part>
      <Part id="codes" title="Codes">
        <Codes codes={codes.filter(isOfApi)} />
      </Part>
      <Part id="panel-codes" title="Codes of the panel">
        <details>
          <summary>The panel’s own requests have further codes</summary>
          <Codes codes={codes.filter((one) => !isOfApi(one))} />
        </details>
      </Part>
    </Guide>
  )
}

function Codes({ codes }: { codes: readonly ErrorCodeFacts[] }) {
  return (
    <ul className={classes['codes']}>
      {codes.map(({ code, status, why, fix, reply }) => (
        <li key={code} id={code} className={classes['code']}>
          <details>
            <summary className={classes['summary']}>
              <span className={classes['status']}>{status}</span> <code>{code}</code>
            </summary>
            <div className={classes['detail']}>
              <p>
                <Prose text={why} />
              </p>
              <p>
                <strong>What to do:</strong> <Prose text={fix} />
              </p>
              <CodeBlock code={textOf(reply)} label={`Example of ${code}`} />
            </div>
          </details>
        </li>
      ))}
    </ul>
  )
}
