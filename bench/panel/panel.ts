import { resolve } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { chromiumMissing, chromiumReason, startBrowser } from '../../test/support/panel/browser.ts'
import { loadFront } from '../front/load-front.ts'
import type { BenchOptions } from '../options.ts'
import { figure, progress, table } from '../report.ts'
import { commitOf, createAccount, startPipit, type Service } from '../service.ts'

const pages = [
  '/keys',
  '/playground',
  '/usage',
  '/requests',
  '/live',
  '/model',
  '/quick-start',
  '/settings',
  '/accounts',
  '/docs',
] as const
type Path = (typeof pages)[number]

/** A build: its service, a signed-in session, and the measured times. */
type Side = {
  name: string
  service: Service
  cookie: { name: string; value: string; url: string }[]
  times: Map<Path, { first: number[]; next: number[] }>
}

/**
 * Measures the time from the navigation until a page is interactive: its heading and its data are there, and the
 * browser has drawn a frame since. On the first visit, the browser's cache has nothing of the panel; on the next visit,
 * it has the files of the first. If `against` names another checkout, both builds are measured in turns.
 */
export async function benchPanel({ rounds, against }: BenchOptions): Promise<string> {
  if (chromiumMissing) throw new Error(chromiumReason)
  const browser = await startBrowser()
  const sides: Side[] = []
  try {
    sides.push(await startSide('this build'))
    if (against !== undefined) sides.push(await startSide(commitOf(against), resolve(against)))
    for (let round = 0; round < rounds; round++) {
      for (const path of pages)
        for (const side of round % 2 === 0 ? sides : sides.toReversed())
          await visit(browser, side, path)
      progress(`round ${round + 1}/${rounds}`)
    }
    return describe(sides)
  } finally {
    await browser.close()
    for (const { service } of sides) await service.stop()
  }
}

/** Starts a service with its bundled model and 200 requests in its ledger, and signs in. */
async function startSide(name: string, folder?: string): Promise<Side> {
  const service = await startPipit({ settings: {}, folder })
  await loadFront(service, 'whole', 4, { count: 200 })
  const cookie = await signIn(service, { PIPIT_DATA_DIR: service.dataDir }, folder)
  return {
    name,
    service,
    cookie,
    times: new Map(pages.map((path) => [path, { first: [], next: [] }])),
  }
}

async function signIn(
  { url }: Service,
  environment: Record<string, string>,
  folder: string | undefined,
): Promise<Side['cookie']> {
  const [email, password] = ['ada@example.com', 'correct horse battery']
  const { secret } = await createAccount(environment, email, folder)
  const reset = (link: object) =>
    post(`${url}/panel/api/reset-password`, url, { ...link, password })
  // Older builds call the member `token`.
  await reset({ secret }).catch(() => reset({ token: secret }))
  const response = await post(`${url}/panel/api/auth/sign-in/email`, url, { email, password })
  return response.headers.getSetCookie().map((line) => {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url }
  })
}

async function post(to: string, origin: string, body: object): Promise<Response> {
  const headers = { origin, 'content-type': 'application/json' }
  const response = await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${to}: ${response.status} ${await response.text()}`)
  return response
}

async function visit(browser: Browser, { service, cookie, times }: Side, path: Path) {
  const context = await browser.newContext({ baseURL: service.url })
  try {
    await context.addCookies(cookie)
    times.get(path)?.first.push(await timeToInteractive(context, path))
    times.get(path)?.next.push(await timeToInteractive(context, path))
  } finally {
    await context.close()
  }
}

/** Browser script that checks once per frame. It is a string, because the benchmarks are compiled without DOM types. */
const whenInteractive = `new Promise((resolve, reject) => {
  const isReady = () => document.querySelector('h1') !== null
    && document.querySelector('[aria-label=Loading], [aria-busy=true]') === null
  const look = () => {
    // The callback of the next frame comes after this one is drawn.
    if (isReady()) return requestAnimationFrame(() => resolve(performance.now()))
    if (performance.now() > 30_000) return reject(new Error(location.href + ' is not ready after 30 s'))
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})`

async function timeToInteractive(context: BrowserContext, path: Path): Promise<number> {
  const page = await context.newPage()
  try {
    await page.goto(path, { waitUntil: 'commit' })
    return await page.evaluate<number>(whenInteractive)
  } finally {
    await page.close()
  }
}

function describe(sides: readonly Side[]): string {
  const [ours, theirs] = sides
  const rows = pages.map((path) => {
    const columns = (['first', 'next'] as const).flatMap((which) => {
      const timesOf = (side: Side | undefined) => side?.times.get(path)?.[which] ?? []
      const [mine, others] = [timesOf(ours), timesOf(theirs)]
      if (theirs === undefined) return [figure(mine, 0)]
      const ratios = mine.map((ms, round) => ms / (others[round] ?? NaN))
      return [figure(others, 0), figure(mine, 0), figure(ratios, 2)]
    })
    return [`\`${path}\``, ...columns]
  })
  const head = (['first visit', 'next visit'] as const).flatMap((name) =>
    theirs === undefined
      ? [`${name}, ms`]
      : [`${name}, ${theirs.name}, ms`, `${name}, this build, ms`, 'ratio'],
  )
  return [
    'Milliseconds from the navigation until the heading and the data of a page are there and a frame was drawn, in',
    'Chromium on the same two cores. First visit: nothing of the panel is in the browser’s cache. Median over the rounds',
    '(least–most).',
    '',
    table(['page', ...head], rows),
  ].join('\n')
}
