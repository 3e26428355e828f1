import { docsExamples, type DocsExample } from './docs-examples.ts'
import { escape, prose } from './docs-html.ts'
import { type PlacedOperation, renderObject, renderOperation } from './docs-operation.ts'
import { stylesheet } from './docs-style.ts'
import { membersOf, textOf } from './json.ts'
import type { OpenApi } from './openapi.ts'

/** Returns the whole reference as one static page without scripts, from the OpenAPI document alone. */
export function renderDocsPage(api: OpenApi): string {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pipit API</title>
<style>${stylesheet}</style>
</head>
<body>
<main>
<h1>Pipit API <span class="soft">${escape(textOf(api.info['version']))}</span></h1>
<p>${prose(textOf(api.info['summary']))} ${prose(textOf(api.info['description']))}</p>
<p>This page is generated from <a href="/openapi.json">openapi.json</a>, and that from the schemas that validate every request.</p>
<nav aria-label="Operations"><ul>
${operations.map(renderLink).join('\n')}
</ul></nav>
<h2 id="examples">Examples</h2>
<p>Set <code>PIPIT_URL</code> and <code>PIPIT_API_KEY</code>, then run any of these as it is.</p>
${docsExamples.map(renderExample).join('\n')}
<h2 id="operations">Operations</h2>
${operations.map((one) => renderOperation(api, one)).join('\n')}
<h2 id="objects">Objects</h2>
${membersOf(api.components.schemas)
  .map(([name, schema]) => renderObject(name, schema))
  .join('\n')}
</main>
</body>
</html>
`
}

function renderLink({ path, method, operation }: PlacedOperation): string {
  const name = `<code>${method.toUpperCase()} ${escape(path)}</code>`
  return `<li><a href="#${operation.operationId}">${name}</a> ${prose(operation.summary)}</li>`
}

function renderExample({ title, language, code }: DocsExample): string {
  return `<h3>${escape(title)}</h3>\n<pre tabindex="0"><code data-language="${language}">${escape(code)}</code></pre>`
}
