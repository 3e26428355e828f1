import { lazy, Suspense } from 'react'
import classes from './markdown.module.css'

/** Many times the longest reply; a longer text is shown as it is. */
const parsedCharsMax = 100_000

/** Text of a model, laid out. What reads Markdown is loaded with the first text; until then it is plain. */
export function Markdown({ text }: { text: string }) {
  const plain = <div className={classes['plain']}>{text}</div>
  if (text.length > parsedCharsMax) return plain
  return (
    <Suspense fallback={plain}>
      <RenderedMarkdown text={text} />
    </Suspense>
  )
}

const RenderedMarkdown = lazy(async () => ({
  default: (await import('./rendered-markdown.tsx')).RenderedMarkdown,
}))
