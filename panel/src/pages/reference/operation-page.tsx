import { Title } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { OpenApi } from '../../../../src/http/reference/openapi.ts'
import { NotFound } from '../../components/page/not-found.tsx'
import { apiDocumentQuery } from '../../reference/api-document-query.ts'
import {
  type ApiOperation,
  nameOf,
  operationsOf,
  type ResponseFacts,
  responsesOf,
} from '../../reference/api-document.ts'
import { exampleRequest } from '../../reference/example-request.ts'
import { objectOf, textOf } from '../../reference/json.ts'
import { fieldsOf, typeOf } from '../../reference/schema-fields.ts'
import { Article } from './parts/article.tsx'
import { FieldList } from './parts/field-list.tsx'
import classes from './operation-page.module.css'
import { Prose } from './parts/prose.tsx'
import { ReferenceLink } from './parts/reference-link.tsx'
import { RequestCode } from './parts/request-code.tsx'
import { ResponseExamples } from './parts/response-examples.tsx'
import { TryIt } from './parts/try-it.tsx'
import { TypeText } from './parts/type-text.tsx'

/** One operation: its parameters and responses, with code for the request in each language. */
export function OperationPage() {
  const { operation: id } = useParams({ from: '/docs/panes/operations/$operation' })
  const { data: api } = useSuspenseQuery(apiDocumentQuery)
  const operation = operationsOf(api).find(({ operationId }) => operationId === id)
  if (operation === undefined) return <NotFound />
  const responses = responsesOf(api, operation)
  return (
    <Article
      key={id}
      title={operation.summary}
      description={
        <>
          <code>
            {operation.method} {operation.path}
          </code>
          <p>
            {operation.security.length === 0 ? 'Needs no API key.' : 'Needs an API key.'}{' '}
            <Prose text={operation.description ?? ''} />
          </p>
        </>
      }
      aside={
        <>
          <RequestCode title="Request" request={exampleRequest(operation)} />
          <TryIt operation={operation} />
          <ResponseExamples responses={responses} />
        </>
      }
    >
      <Parameters operation={operation} />
      <Body api={api} operation={operation} />
      <Title order={2} id="responses" mt="md">
        Responses
      </Title>
      {responses.map((response) => (
        <Response key={response.status} response={response} />
      ))}
    </Article>
  )
}

function Parameters({ operation }: { operation: ApiOperation }) {
  const { parameters = [] } = operation
  if (parameters.length === 0) return null
  return (
    <>
      <Title order={2} id="parameters" mt="md">
        Parameters
      </Title>
      <FieldList
        fields={parameters.map((one) => ({
          name: textOf(one['name']),
          path: textOf(one['name']),
          type: [
            ...typeOf(objectOf(one['schema'])),
            { kind: 'text' as const, text: ` in the ${textOf(one['in'])}` },
          ],
          isRequired: one['required'] === true,
          description: textOf(one['description']),
          bounds: [],
          fields: [],
        }))}
      />
    </>
  )
}

function Body({ api, operation }: { api: OpenApi; operation: ApiOperation }) {
  const { content } = objectOf(operation.requestBody)
  const { schema } = objectOf(objectOf(content)['application/json'])
  if (schema === undefined) return null
  const name = nameOf(objectOf(schema)['$ref'])
  const object = objectOf(api.components.schemas[name] ?? schema)
  return (
    <>
      <Title order={2} id="body" mt="md">
        Body
      </Title>
      {name !== '' && (
        <p>
          A <ReferenceLink address={`/docs/objects/${name}`}>{name}</ReferenceLink> as JSON.
        </p>
      )}
      <FieldList fields={fieldsOf(object)} />
    </>
  )
}

function Response({ response }: { response: ResponseFacts }) {
  const { status, description, headers, bodies } = response
  return (
    <details className={classes['response']}>
      <summary>
        <strong>{status}</strong>{' '}
        {Number(status) < 400 ? description : `${description.split(',').length} error codes`}
      </summary>
      <p>
        <Prose text={description} />
      </p>
      {Number(status) >= 400 && (
        <p>
          Each code is explained under <ReferenceLink address="/docs/errors">Errors</ReferenceLink>.
        </p>
      )}
      {bodies.map(({ type, schema }) => (
        <p key={type}>
          <code>{type}</code>: <TypeText words={typeOf(schema)} />
        </p>
      ))}
      <p>
        Headers: <Prose text={headers.map((name) => `\`${name}\``).join(', ')} />
      </p>
    </details>
  )
}
