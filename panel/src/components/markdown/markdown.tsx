import { Component, lazy, Suspense, type ReactNode } from 'react'
import classes from './markdown.module.css'
import { splitBlocks } from './split-blocks.ts'

/** Many times the longest reply; a longer text is shown as it is. */
const parsedCharsMax = 100_000

/** Text of a model, laid out. What reads Markdown is loaded with the first text; until then it is plain. */
export function Markdown({ text, isGrowing = false }: { text: string; isGrowing?: boolean }) {
  const plain = <div className={classes['plain']}>{text}</div>
  if (text.length > parsedCharsMax) return plain
  return (
    <PlainOnFault plain={plain}>
      <Suspense fallback={plain}>
        {/* A block that has ended is not laid out again for each new word. */}
        {(isGrowing ? splitBlocks(text) : [text]).map((block, index) => (
          <RenderedMarkdown key={index} text={block} />
        ))}
      </Suspense>
    </PlainOnFault>
  )
}

const RenderedMarkdown = lazy(async () => ({
  default: (await import('./rendered-markdown.tsx')).RenderedMarkdown,
}))

/** A text that cannot be laid out is still read; the fault is in the console. */
class PlainOnFault extends Component<{ plain: ReactNode; children: ReactNode }> {
  override state = { failed: false }
  static getDerivedStateFromError() {
    return { failed: true }
  }
  override render() {
    return this.state.failed ? this.props.plain : this.props.children
  }
}
