import type { PanelModel } from '../../../../src/protocol/panel/models.ts'
import { Markdown } from '../../components/markdown/markdown.tsx'
import classes from './model-page.module.css'

/** The sections of the model card, collapsed because most visitors come for the facts above. */
export function ModelCard({ sections }: { sections: PanelModel['card'] }) {
  return (
    <div className={classes['card']}>
      {sections.map(({ title, text }) => (
        <details key={title}>
          <summary>{title === '' ? 'About' : title}</summary>
          <div className={classes['section']}>
            <Markdown text={text} />
          </div>
        </details>
      ))}
    </div>
  )
}
