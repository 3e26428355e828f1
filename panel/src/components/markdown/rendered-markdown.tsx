import { memo, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { TableScrollContainer } from '../table-scroll-container.tsx'
import classes from './markdown.module.css'

/**
 * Renders a model's text, which is untrusted. HTML is shown as text, an image as a link with its alt
 * text, and only absolute http(s) links work.
 */
export const RenderedMarkdown = memo(function RenderedMarkdown({ text }: { text: string }) {
  return (
    <div className={classes['markdown']} dir="auto" data-markdown>
      <ReactMarkdown
        remarkPlugins={plugins}
        components={components}
        urlTransform={keepUrl}
        allowedElements={elements}
        unwrapDisallowed
      >
        {text}
      </ReactMarkdown>
    </div>
  )
})

const plugins = [remarkGfm, () => flatten]

/** Rendering is recursive, so deeper nesting could overflow the stack. */
const nestingMax = 50

type MarkdownNode = {
  type: string
  value?: string
  children?: MarkdownNode[]
  position?: { start: { offset?: number }; end: { offset?: number } } | undefined
}

/** Replaces nodes below `nestingMax` by their Markdown source. */
function flatten(tree: MarkdownNode, file: { value: unknown }): void {
  const waiting = [{ node: tree, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next
    if (node.children === undefined) continue
    if (depth < nestingMax)
      waiting.push(...node.children.map((child) => ({ node: child, depth: depth + 1 })))
    else {
      const { start, end } = node.position ?? { start: {}, end: {} }
      const source = String(file.value).slice(start.offset, end.offset)
      node.children = [{ type: 'text', value: source }]
    }
  }
}

// Other elements, for example from a later parser version, are replaced by their text.
const elements =
  'p br hr h1 h2 h3 h4 h5 h6 blockquote ul ol li pre code em strong del a img table thead tbody tr th td'.split(
    ' ',
  )

const components: Components = {
  a: ({ href = '', children }) => <WebLink url={href}>{children}</WebLink>,
  img: ({ src = '', alt = '' }) => (
    <WebLink url={String(src)}>{alt === '' ? 'image' : `image: ${alt}`}</WebLink>
  ),
  // Heading levels 1 and 2 belong to the page.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  // Scrollable blocks must be reachable by keyboard.
  pre: ({ children }) => (
    <pre tabIndex={0} role="region" aria-label="Code">
      {children}
    </pre>
  ),
  code: ({ children }) => <code>{children}</code>,
  li: ({ children }) => <li>{children}</li>,
  ul: ({ children }) => <ul>{children}</ul>,
  table: ({ children }) => (
    <TableScrollContainer minWidth={0} tabIndex={0} role="region" aria-label="Table">
      <table>{children}</table>
    </TableScrollContainer>
  ),
}

/** Shows the host after the text, so that the user sees where an untrusted link leads. */
function WebLink({ url, children }: { url: string; children: ReactNode }) {
  const target = toWebUrl(url)
  if (target === undefined)
    return (
      <span>
        {children}
        {url !== '' && <span className={classes['address']}> ({url})</span>}
      </span>
    )
  return (
    <>
      <a href={target.href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {children !== url && <span className={classes['address']}> ({target.host})</span>}
    </>
  )
}

/** Parses absolute http(s) URLs only. A relative URL would link into this service. */
function toWebUrl(url: string): URL | undefined {
  if (!/^https?:\/\//i.test(url)) return undefined
  return URL.parse(url) ?? undefined
}

// Keeps every URL, because WebLink checks them.
function keepUrl(url: string): string {
  return url
}
