import { guideRequests } from '../../../reference/guide-requests.ts'
import { Guide, Part } from '../parts/article.tsx'
import { ReferenceLink } from '../parts/reference-link.tsx'
import { RequestCode } from '../parts/request-code.tsx'

export function IdempotencyGuide() {
  return (
    <Guide title="Idempotency" description="Retry a completion without paying for it twice.">
      <Part
        id="send"
        title="Send a key"
        aside={<RequestCode title="Safe retry" request={guideRequests.retry} />}
      >
        <p>
          Send <code>Idempotency-Key</code> with a new value of 1 to 255 visible ASCII characters
          for each new request. Send the same value when you retry that request. The values belong
          to your account.
        </p>
      </Part>
      <Part id="repeat" title="What a retry gets">
        <ul>
          <li>
            After the reply is complete, an equal request gets it again for 24 hours, with the
            header <code>idempotency-replayed: true</code>. It costs nothing and has no receipt.
          </li>
          <li>
            While the first request is running, an equal one gets{' '}
            <ReferenceLink address="/docs/errors#idempotency_in_progress">
              idempotency_in_progress
            </ReferenceLink>{' '}
            with <code>Retry-After: 1</code>.
          </li>
          <li>
            A request with another body gets{' '}
            <ReferenceLink address="/docs/errors#idempotency_mismatch">
              idempotency_mismatch
            </ReferenceLink>
            .
          </li>
        </ul>
      </Part>
      <Part id="not-kept" title="What is not kept">
        <p>
          A request that failed, was refused or lost its client is not kept: the retry runs again.
          So does one after a crash of the service, one whose reply has more than 64 KiB, and one
          whose reply was dropped because later replies exceed 64 MiB in total.
        </p>
      </Part>
    </Guide>
  )
}
