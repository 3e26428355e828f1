import { Title } from '@mantine/core'
import { useId } from 'react'
import type { PanelUsage } from '../../../../../src/protocol/panel-usage.ts'
import { formatCount } from '../../../format/format.ts'
import shared from './bars.module.css'
import classes from './key-chart.module.css'

const keysShown = 8

/** Bars for the keys that used the most tokens, in the colours of the Tokens chart. */
export function KeyChart({ keys }: Pick<PanelUsage, 'keys'>) {
  const titleId = useId()
  const bars = keys
    .map(({ key_id: id, name, prompt_tokens: prompt, completion_tokens: completion }) => {
      return { id, name, prompt, completion, total: prompt + completion }
    })
    .toSorted((a, b) => b.total - a.total)
    .slice(0, keysShown)
  const most = bars[0]?.total ?? 0
  if (most === 0) return null
  const share = (tokens: number) => ({ inlineSize: `${(100 * tokens) / most}%` })
  return (
    <section aria-labelledby={titleId} className={shared['section']}>
      <Title order={2} id={titleId}>
        Tokens by key
      </Title>
      <ul className={`numeric ${shared['bars']}`}>
        {bars.map(({ id, name, prompt, completion, total }) => (
          <li key={id} className={shared['row']}>
            <bdi className={classes['name']}>{name}</bdi>
            <span className={classes['track']} aria-hidden="true">
              <span className={classes['prompt']} style={share(prompt)} />
              <span className={classes['completion']} style={share(completion)} />
            </span>
            <span className={shared['count']}>{formatCount(total)}</span>
          </li>
        ))}
      </ul>
      <p className={shared['note']} aria-hidden="true">
        <span className={`${classes['swatch']} ${classes['prompt']}`} /> Prompt{' '}
        <span className={`${classes['swatch']} ${classes['completion']}`} /> Completion
      </p>
    </section>
  )
}
