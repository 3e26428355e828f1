import { Text } from '@mantine/core'
import { formatCount } from '../../format/format.ts'
import type { Preview } from './use-preview.ts'

/** How much of the context the draft takes, and what is left for a reply. */
export function TokenCount({ count, fault }: Preview) {
  if (fault !== undefined)
    return (
      <Text size="xs" c="red">
        {fault}
      </Text>
    )
  if (count === undefined)
    return (
      <Text size="xs" c="dimmed">
        Tokens are counted while you write.
      </Text>
    )
  return (
    <Text size="xs" c={count.fits ? 'dimmed' : 'red'} className="numeric">
      {formatCount(count.input_tokens)} tokens
      {count.fits
        ? `, room for ${formatCount(count.tokens_left)} more of ${formatCount(count.context_length)}`
        : `: more than the ${formatCount(count.context_length)} of the context. Shorten or remove messages.`}
    </Text>
  )
}
