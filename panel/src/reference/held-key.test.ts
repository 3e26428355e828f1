import { QueryClient } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { holdKey } from './held-key.ts'

test('a key is held for as long as the tab is open, also while no page shows it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  // The default of browsers; without a window, nothing is ever dropped.
  const queryClient = new QueryClient({ defaultOptions: { queries: { gcTime: 300_000 } } })
  const held = { name: 'laptop', key: 'sk-1' }
  holdKey(queryClient, held)
  queryClient.setQueryData(['other'], 'data')
  await vi.advanceTimersByTimeAsync(24 * 3_600_000)
  expect(queryClient.getQueryData(['other'])).toBeUndefined()
  expect(queryClient.getQueryData(['held-key'])).toEqual(held)
  queryClient.clear()
  expect(queryClient.getQueryData(['held-key'])).toBeUndefined()
})
