import { guideRequests } from '../../../reference/guide-requests.ts'
import { Guide, Part } from '../parts/article.tsx'
import { ReferenceLink } from '../parts/reference-link.tsx'
import { RequestCode } from '../parts/request-code.tsx'

export function StreamingGuide() {
  return (
    <Guide
      title="Streaming"
      description={
        <>
          Send <code>stream: true</code> to get the reply while it is generated, as Server-Sent
          Events.
        </>
      }
    >
      <Part
        id="events"
        title="Events"
        aside={<RequestCode title="Stream" request={guideRequests.stream} />}
      >
        <p>
          Each event is a line that starts with <code>data: </code> and holds a{' '}
          <ReferenceLink address="/docs/objects/ChatCompletionChunk">
            ChatCompletionChunk
          </ReferenceLink>
          . They come in this order:
        </p>
        <ol>
          <li>a chunk with the role and an empty text;</li>
          <li>
            chunks whose <code>delta.content</code> is the next piece of the text;
          </li>
          <li>
            a chunk with the <code>finish_reason</code>;
          </li>
          <li>
            with <code>stream_options.include_usage</code>, a chunk with <code>choices: []</code>{' '}
            and the usage;
          </li>
          <li>
            <code>data: [DONE]</code>.
          </li>
        </ol>
        <p>
          With <code>n</code>, the chunks of the choices are interleaved; <code>index</code> tells
          them apart. A character is never split between two chunks.
        </p>
      </Part>
      <Part id="failures" title="Failures">
        <p>
          A request that fails before its stream begins gets an error status. A later failure is one
          event with <code>error</code>, and the connection closes without <code>[DONE]</code>.
          Treat a stream without <code>[DONE]</code> as incomplete.
        </p>
        <p>
          <code>[DONE]</code> means that the reply is complete and its usage is on disk.
        </p>
      </Part>
      <Part id="waiting" title="Waiting">
        <p>
          Lines that start with <code>:</code> are comments, which SSE clients skip. The service
          sends <code>: ping</code> after 15 s of silence, and the queue position every 2 s while a
          stream waits for more than 5 s.
        </p>
      </Part>
      <Part id="disconnect" title="Disconnecting">
        <p>
          Close the connection to stop a reply. The slot is free within one token, and the tokens
          generated until then count.
        </p>
      </Part>
    </Guide>
  )
}
