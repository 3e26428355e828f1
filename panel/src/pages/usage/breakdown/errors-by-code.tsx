import { Anchor, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { PanelUsage } from '../../../../../src/protocol/panel-usage.ts'
import { FirstRows } from '../../../components/first-rows.tsx'
import { formatCount } from '../../../format/format.ts'
import classes from './errors-by-code.module.css'

const codesShownAtFirst = 4

/** A bar for each error code, scaled to the most frequent one. */
export function ErrorsByCode({ errors }: { errors: PanelUsage['errors_by_code'] }) {
  const titleId = useId()
  if (errors.length === 0) return null
  const most = Math.max(...errors.map(({ requests }) => requests))
  const withoutReceipt = errors.reduce((sum, one) => sum + one.requests - one.receipts, 0)
  return (
    <section aria-labelledby={titleId} className={classes['section']}>
      <Title order={2} id={titleId}>
        Errors by code
      </Title>
      <FirstRows rows={errors} atFirst={codesShownAtFirst} what="codes">
        {(shown) => (
          <ul className={`numeric ${classes['bars']}`}>
            {shown.map(({ code, requests }) => (
              <li key={code} className={classes['row']}>
                <Anchor
                  size="sm"
                  className={classes['code']}
                  renderRoot={(props) => (
                    <Link {...props} to="/requests" search={{ error: code }} />
                  )}
                >
                  <code>{code}</code>
                </Anchor>
                <span className={classes['track']} aria-hidden="true">
                  <span
                    className={classes['bar']}
                    style={{ inlineSize: `${(100 * requests) / most}%` }}
                  />
                </span>
                <span className={classes['count']}>{formatCount(requests)}</span>
              </li>
            ))}
          </ul>
        )}
      </FirstRows>
      <p className={classes['note']}>
        Select a code to see its requests.{' '}
        {withoutReceipt > 0 &&
          `${formatCount(withoutReceipt)} more were counted without a receipt: beyond 30 refusals a minute, Pipit keeps only sums.`}
      </p>
    </section>
  )
}
