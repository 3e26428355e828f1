import { guideRequests } from '../../../reference/guide-requests.ts'
import { Guide, Part } from '../parts/article.tsx'
import { ReferenceLink } from '../parts/reference-link.tsx'
import { RequestCode } from '../parts/request-code.tsx'

export function ToolsGuide() {
  return (
    <Guide
      title="Tools"
      description="Describe functions, and the model can ask your program to call them."
    >
      <Part
        id="call"
        title="Get a call"
        aside={<RequestCode title="Call" request={guideRequests.tools} />}
      >
        <p>
          Send up to 128 functions in <code>tools</code>. Each has a unique name, and the JSON
          Schema of its arguments in <code>parameters</code>. The schemas follow the rules of{' '}
          <ReferenceLink address="/docs/structured-output">structured output</ReferenceLink> and
          have at most 64 KiB together.
        </p>
        <p>
          A reply with calls has <code>message.tool_calls</code> and the finish reason{' '}
          <code>tool_calls</code>. The <code>arguments</code> of a call are the text of a JSON
          object.
        </p>
      </Part>
      <Part
        id="result"
        title="Return the result"
        aside={<RequestCode title="Result" request={guideRequests.toolResult} />}
      >
        <p>
          Call the function in your program. Then send the conversation again, with the message of
          the assistant and, for each call, a message with the role <code>tool</code>, the id of the
          call and its result.
        </p>
      </Part>
      <Part id="choice" title="Choose">
        <ul>
          <li>
            <code>{'tool_choice: "auto"'}</code>, the default: a text, calls, or a text followed by
            calls.
          </li>
          <li>
            <code>{'"required"'}</code>: one or more calls.
          </li>
          <li>
            <code>{'{"type":"function","function":{"name":"get_weather"}}'}</code>: one or more
            calls of this function.
          </li>
          <li>
            <code>{'"none"'}</code>: a text. The model does not see the tools.
          </li>
        </ul>
        <p>
          A reply has at most 16 calls, and at most one with <code>parallel_tool_calls: false</code>
          .
        </p>
      </Part>
      <Part id="streams" title="In a stream">
        <p>
          A call’s <code>index</code>, <code>id</code> and name come first, then pieces of its{' '}
          <code>arguments</code>. Join the pieces in order.
        </p>
      </Part>
    </Guide>
  )
}
