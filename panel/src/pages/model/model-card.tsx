import { useState } from 'react'
import type { PanelModel } from '../../../../src/protocol/panel/models.ts'
import { Markdown } from '../../components/markdown/markdown.tsx'
import classes from './model-page.module.css'

/** The sections of the model card, collapsed because most visitors come for the facts above. */
export function ModelCard({ sections }: { sections: PanelModel['card'] }) {
  return (
    <div className={classes['card']}>
      {sections.map(({ title, text }) => (
        <CardSection key={title} title={title} text={text} />
      ))}
    </div>
  )
}

/** Shows plain text until it is opened first. So the page loads without the Markdown parser, and finds the text. */
function CardSection({ title, text }: PanelModel['card'][number]) {
  const [isRendered, setIsRendered] = useState(false)
  return (
    <details onToggle={() => setIsRendered(true)}>
      <summary>{title === '' ? 'About' : title}</summary>
      <div className={classes['section']}>{isRendered ? <Markdown text={text} /> : text}</div>
    </details>
  )
}
