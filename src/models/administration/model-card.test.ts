import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../paths.ts'
import { readModelCard, splitCard } from './model-card.ts'

test('a card is split at its headings, without its title and its images', () => {
  const card =
    '# name\n\nIntro.\n\n## One\n\n![loss](loss.png)\n\nText.\n\n```\n## code\n```\n\n## Two\n'
  expect(splitCard(card)).toEqual([
    { title: '', text: 'Intro.' },
    { title: 'One', text: 'Text.\n\n```\n## code\n```' },
    { title: 'Two', text: '' },
  ])
})

test('the card of the bundled model has sections and no image', async () => {
  const sections = await readModelCard(join(packageRoot, 'model/MODEL_CARD.md'))
  expect(sections.length).toBeGreaterThan(3)
  expect(JSON.stringify(sections)).not.toContain('loss.png')
})

test('a model without a card has no sections', async () => {
  expect(await readModelCard(undefined)).toEqual([])
  expect(await readModelCard('/nowhere/MODEL_CARD.md')).toEqual([])
})
