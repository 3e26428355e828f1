import { createElement, Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { lazyPage } from './lazy-page.tsx'

const show = (page: ReturnType<typeof lazyPage>) =>
  renderToString(createElement(Suspense, { fallback: 'loading' }, createElement(page)))
const load = async () => ({ Keys: () => 'API keys' })

test('a page is shown without suspending once its code is there', async () => {
  const page = lazyPage(load, 'Keys')
  expect(show(page)).toContain('loading')
  const preloaded = lazyPage(load, 'Keys')
  await preloaded.preload()
  expect(show(preloaded)).toBe('<!--$-->API keys<!--/$-->')
})
