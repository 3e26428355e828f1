import { afterEach, expect, test, vi } from 'vitest'

const zoneBefore = process.env['TZ']
afterEach(() => {
  if (zoneBefore === undefined) delete process.env['TZ']
  else process.env['TZ'] = zoneBefore
})

/** Formats keep the zone in which they were made. */
async function inZone(zone: string) {
  process.env['TZ'] = zone
  vi.resetModules()
  const { axisLabel, pointLabel } = await import('./point-label.ts')
  // Which space stands before PM differs between versions of ICU.
  const plain = (text: string) => text.replaceAll(/\s/g, ' ')
  return {
    axisLabel: (...point: Parameters<typeof axisLabel>) => plain(axisLabel(...point)),
    pointLabel: (...point: Parameters<typeof pointLabel>) => plain(pointLabel(...point)),
  }
}

const beginMs = Date.parse('2026-11-22T13:00:00Z')

test('a point is named in the zone of the user', async () => {
  const { axisLabel, pointLabel } = await inZone('Europe/Berlin')
  expect(axisLabel(beginMs, 'hour')).toBe('2 PM')
  expect(axisLabel(beginMs, 'day')).toBe('Nov 22')
  expect(pointLabel(beginMs, 'hour')).toBe('Sun, Nov 22, 2 PM – 3 PM')
  expect(pointLabel(beginMs, 'day')).toBe('Sun, Nov 22, 2026')
})

test('hours of a zone that is half an hour off are named with their minutes', async () => {
  const { pointLabel } = await inZone('Asia/Kolkata')
  expect(pointLabel(beginMs, 'hour')).toBe('Sun, Nov 22, 6:30 PM – 7:30 PM')
})
