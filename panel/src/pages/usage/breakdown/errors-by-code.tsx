import { Anchor, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { PanelUsage } from '../../../../../src/protocol/panel-usage.ts'
import { FirstRows } from '../../../components/first-rows.tsx'
import type { DayRange } from '../../../format/time-range.ts'
import { formatCount } from '../../../format/format.ts'
import shared from './bars.module.css'
import classes from './errors-by-code.module.css'

const codesShownAtFirst = 4

type ErrorsByCodeProps = {
  errors: PanelUsage['errors_by_code']
  /** The time range and the key that the errors are from. */
  search: DayRange & { key?: string }
}

/** A bar for each error code, scaled to the most frequent one. */
export function ErrorsByCode({ errors, search }: ErrorsByCodeProps) {
  const titleId = useId()
  if (errors.length === 0) return null
  const most = Math.max(...errors.map(({ requests }) => requests))
  const withoutReceipt = errors.reduce((sum, one) => sum + one.requests - one.receipts, 0)
  return (
    <section aria-labelledby={titleId} className={shared['section']}>
      <Title order={2} id={titleId}>
        Errors by code
      </Title>
      <FirstRows rows={errors} atFirst={codesShownAtFirst} what="codes">
        {(shown) => (
          <ul className={`numeric ${shared['bars']}`}>
            {shown.map(({ code, requests }) => (
              <li key={code} className={shared['row']}>
                <Anchor
                  size="sm"
                  className={classes['code']}
                  renderRoot={(props) => (
                    <Link {...props} to="/requests" search={{ ...search, error: code }} />
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
                <span className={shared['count']}>{formatCount(requests)}</span>
              </li>
            ))}
          </ul>
        )}
      </FirstRows>
      <p className={shared['note']}>
        Select a code to see its requests.{' '}
        {withoutReceipt > 0 &&
          `${formatCount(withoutReceipt)} more were counted without a receipt: beyond 30 refusals a minute, Pipit keeps only sums.`}
      </p>
    </section>
  )
}
