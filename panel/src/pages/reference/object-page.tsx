import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { OpenApi } from '../../../../src/http/reference/openapi.ts'
import { CodeBlock } from '../../components/code-snippets.tsx'
import { NotFound } from '../../components/page/not-found.tsx'
import { apiDocumentQuery } from '../../reference/api-document-query.ts'
import { exampleOfObject, operationsOf } from '../../reference/api-document.ts'
import { objectOf } from '../../reference/json.ts'
import { fieldsOf } from '../../reference/schema-fields.ts'
import { Article } from './parts/article.tsx'
import { FieldList } from './parts/field-list.tsx'
import { Prose } from './parts/prose.tsx'
import { ReferenceLink } from './parts/reference-link.tsx'

/** One object of the API: its fields, and the operations that use it. */
export function ObjectPage() {
  const { object: name } = useParams({ from: '/docs/panes/objects/$object' })
  const { data: api } = useSuspenseQuery(apiDocumentQuery)
  const schema = api.components.schemas[name]
  if (schema === undefined) return <NotFound />
  const { description } = objectOf(schema)
  const example = exampleOfObject(api, name)
  return (
    <Article
      key={name}
      title={name}
      description={<Users api={api} name={name} />}
      {...(example !== undefined && {
        aside: <CodeBlock code={example} label={`Example of ${name}`} />,
      })}
    >
      {typeof description === 'string' && (
        <p>
          <Prose text={description} />
        </p>
      )}
      <FieldList fields={fieldsOf(objectOf(schema))} hasIds />
    </Article>
  )
}

function Users({ api, name }: { api: OpenApi; name: string }) {
  const reference = `"#/components/schemas/${name}"`
  const users = operationsOf(api).filter((operation) =>
    JSON.stringify([operation.requestBody, operation.responses]).includes(reference),
  )
  if (users.length === 0) return undefined
  return (
    <>
      Used by{' '}
      {users.map(({ operationId, summary }, i) => (
        <span key={operationId}>
          {i > 0 && ', '}
          <ReferenceLink address={`/docs/operations/${operationId}`}>{summary}</ReferenceLink>
        </span>
      ))}
    </>
  )
}
