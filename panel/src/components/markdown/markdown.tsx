import { Component, lazy, Suspense, type ReactNode } from 'react'
import classes from './markdown.module.css'
import { splitBlocks } from './split-blocks.ts'

/** Longer texts are shown unformatted. Replies are many times shorter. */
const parsedCharsMax = 100_000

/** Renders a model's text as Markdown. Shows it as plain text until the parser has loaded. */
export function Markdown({ text, isGrowing = false }: { text: string; isGrowing?: boolean }) {
  const plain = <div className={classes['plain']}>{text}</div>
  if (text.length > parsedCharsMax) return plain
  return (
    <PlainOnError plain={plain}>
      <Suspense fallback={plain}>
        {/* While the text grows, finished blocks are not rendered again. */}
        {(isGrowing ? splitBlocks(text) : [text]).map((block, index) => (
          <RenderedMarkdown key={index} text={block} />
        ))}
      </Suspense>
    </PlainOnError>
  )
}

const RenderedMarkdown = lazy(async () => ({
  default: (await import('./rendered-markdown.tsx')).RenderedMarkdown,
}))

/** Shows the plain text if rendering fails. The error is in the console. */
class PlainOnError extends Component<{ plain: ReactNode; children: ReactNode }> {
  override state = { failed: false }
  static getDerivedStateFromError() {
    return { failed: true }
  }
  override render() {
    return this.state.failed ? this.props.plain : this.props.children
  }
}
