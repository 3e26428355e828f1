import { Text } from '@mantine/core'
import { formatCount } from '../../format/format.ts'
import type { Preview } from './use-preview.ts'

/** The draft's token count and the space left in the context window. */
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
        Tokens are counted as you type.
      </Text>
    )
  return (
    <Text size="xs" c={count.fits ? 'dimmed' : 'red'} className="numeric">
      {formatCount(count.input_tokens)} tokens
      {count.fits
        ? `, ${formatCount(count.tokens_left)} of ${formatCount(count.context_length)} left`
        : ` exceed the context window of ${formatCount(count.context_length)}. Shorten or remove messages.`}
    </Text>
  )
}
