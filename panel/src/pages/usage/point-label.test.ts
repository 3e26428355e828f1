import { afterEach, expect, test, vi } from 'vitest'

const zoneBefore = process.env['TZ']
afterEach(() => {
  if (zoneBefore === undefined) delete process.env['TZ']
  else process.env['TZ'] = zoneBefore
})

/** Imports the module again, because Intl formats keep the time zone in which they were created. */
async function inZone(zone: string) {
  process.env['TZ'] = zone
  vi.resetModules()
  const { axisLabel, pointLabel } = await import('./point-label.ts')
  // ICU versions differ in the space before PM.
  const plain = (text: string) => text.replaceAll(/\s/g, ' ')
  return {
    axisLabel: (...point: Parameters<typeof axisLabel>) => plain(axisLabel(...point)),
    pointLabel: (...point: Parameters<typeof pointLabel>) => plain(pointLabel(...point)),
  }
}

const beginMs = Date.parse('2026-11-22T13:00:00Z')

test('a point is labelled in the user’s time zone', async () => {
  const { axisLabel, pointLabel } = await inZone('Europe/Berlin')
  expect(axisLabel(beginMs, 'hour')).toBe('2 PM')
  expect(axisLabel(beginMs, 'day')).toBe('Nov 22')
  expect(pointLabel(beginMs, 'hour')).toBe('Sun, Nov 22, 2 PM – 3 PM')
  expect(pointLabel(beginMs, 'day')).toBe('Sun, Nov 22, 2026')
})

test('labels include minutes in time zones with a half-hour offset', async () => {
  const { pointLabel } = await inZone('Asia/Kolkata')
  expect(pointLabel(beginMs, 'hour')).toBe('Sun, Nov 22, 6:30 PM – 7:30 PM')
})
