import { guideRequests } from '../../../reference/guide-requests.ts'
import { Guide, Part } from '../parts/article.tsx'
import { ReferenceLink } from '../parts/reference-link.tsx'
import { RequestCode } from '../parts/request-code.tsx'

export function StructuredOutputGuide() {
  return (
    <Guide
      title="Structured output"
      description="Send a JSON Schema, and the reply is JSON that matches it."
    >
      <Part
        id="schema"
        title="Send a schema"
        aside={<RequestCode title="Schema" request={guideRequests.structured} />}
      >
        <p>
          Put the schema into <code>response_format</code>. It is enforced token by token, whether{' '}
          <code>strict</code> is true or false. A stop sequence of your own can still cut the reply.
        </p>
        <p>
          The model does not see the schema unless the operator turns that on. So say in the
          messages what you want.
        </p>
        <p>
          <code>{'{"type":"json_object"}'}</code> allows any JSON object, at most 17 levels deep.
        </p>
      </Part>
      <Part id="max-tokens" title="Max tokens">
        <p>
          <code>max_tokens</code> does not break the JSON. Near the limit, Pipit samples only tokens
          after which the JSON can still be closed, so the text parses even if the finish reason is{' '}
          <code>length</code>. <code>complete_json: false</code> turns this off.
        </p>
        <p>
          A limit that is too small for any matching JSON is refused with{' '}
          <ReferenceLink address="/docs/errors#integer_below_min_value">
            integer_below_min_value
          </ReferenceLink>
          . Its message names a limit that is large enough.
        </p>
      </Part>
      <Part id="keywords" title="Keywords">
        <p>
          Drafts 4 to 2020-12 are accepted. A keyword that constrains a value is enforced, or the
          request is refused with{' '}
          <ReferenceLink address="/docs/errors#unsupported_value">unsupported_value</ReferenceLink>{' '}
          and the path of the keyword in <code>param</code>. Other keywords, such as{' '}
          <code>title</code> and <code>examples</code>, are annotations.
        </p>
        <EnforcedKeywords />
      </Part>
      <Part id="bounds" title="Bounds">
        <p>
          A schema has at most 64 KiB, 2,000 subschemas, 1,000 values in an <code>enum</code>, 256
          properties in an object and 64 levels.
        </p>
      </Part>
    </Guide>
  )
}

function EnforcedKeywords() {
  return (
    <details>
      <summary>Enforced keywords</summary>
      <ul>
        <li>
          <code>type</code>, <code>enum</code>, <code>const</code>, <code>nullable</code>,{' '}
          <code>anyOf</code>, <code>allOf</code>, <code>oneOf</code>, <code>not</code>,{' '}
          <code>if</code> with <code>then</code> and <code>else</code>
        </li>
        <li>
          <code>$ref</code> within the schema, also recursive
        </li>
        <li>
          Objects: <code>properties</code>, <code>required</code>, <code>additionalProperties</code>
          , <code>patternProperties</code>, <code>propertyNames</code>, <code>minProperties</code>,{' '}
          <code>maxProperties</code>, <code>dependentRequired</code>, <code>dependentSchemas</code>,{' '}
          <code>unevaluatedProperties</code>
        </li>
        <li>
          Lists: <code>items</code>, <code>prefixItems</code>, <code>minItems</code>,{' '}
          <code>maxItems</code>, <code>contains</code>, <code>unevaluatedItems</code>,{' '}
          <code>uniqueItems</code> for strings, integers and listed values
        </li>
        <li>
          Numbers: <code>minimum</code>, <code>maximum</code>, <code>exclusiveMinimum</code>,{' '}
          <code>exclusiveMaximum</code>, <code>multipleOf</code>
        </li>
        <li>
          Texts: <code>minLength</code>, <code>maxLength</code>, <code>pattern</code> without
          lookbehind, backreferences and <code>\b</code>, and common values of <code>format</code>,
          such as <code>date-time</code>, <code>email</code> and <code>uuid</code>
        </li>
      </ul>
    </details>
  )
}
