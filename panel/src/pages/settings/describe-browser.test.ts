import { expect, test } from 'vitest'
import { describeBrowser } from './describe-browser.ts'

test('a session is described by its browser and operating system', () => {
  expect(
    describeBrowser(
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0',
    ),
  ).toBe('Edge on Windows')
  expect(
    describeBrowser(
      'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    ),
  ).toBe('Chrome on Android')
  expect(describeBrowser('curl/8.0')).toBe('Unknown browser')
  expect(describeBrowser(null)).toBe('Unknown browser')
})
