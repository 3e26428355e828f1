import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { question, startTestService, type TestService } from '../support/service.ts'

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
const alerts = read('deploy/helm/pipit/alerts.yaml')
const dashboard = read('deploy/monitoring/dashboard.json')
const page = read('docs/alerts.md')

let service: TestService
let metrics: string
beforeAll(async () => {
  service = await startTestService()
  await service.post(question)
  await service.post({ ...question, temperature: 9 })
  metrics = await (await fetch(service.metricsUrl)).text()
})
afterAll(() => service.close())

test.for([
  ['the alerts', alerts, 10],
  ['the dashboard', dashboard, 18],
  ['docs/alerts.md', page, 20],
] as const)('every metric of %s exists on /metrics of a running service', ([, text, least]) => {
  const names = namesIn(text)
  expect(names.length).toBeGreaterThanOrEqual(least)
  const types = typesOf(metrics)
  expect(names.filter((name) => !types.has(name))).toEqual([])
})

test('rate and increase read counters and histograms', () => {
  const types = typesOf(metrics)
  const read = [...(alerts + dashboard).matchAll(/\b(?:rate|increase)\((\w+)/g)]
  expect(read.length).toBeGreaterThan(10)
  for (const [, name = ''] of read)
    expect([name, types.get(name.replace(/_bucket$/, ''))]).toEqual([
      name,
      name.endsWith('_bucket') ? 'histogram' : 'counter',
    ])
})

test('docs/alerts.md explains each alert, and the metrics of its own service', () => {
  const rules = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const explained = [...page.matchAll(/^\| `(Pipit\w+)`/gm)].map(([, name]) => name)
  expect(explained).toEqual(rules)
  const own = [...typesOf(metrics).keys()].filter((name) => name.startsWith('pipit_'))
  expect(own.filter((name) => !page.includes(name))).toEqual([])
})

test('labels of the alerts and of the dashboard are those of their metrics', () => {
  for (const [name, label] of [
    ['pipit_http_requests_total', 'status="400"'],
    ['pipit_http_requests_total', 'route="/v1/chat/completions"'],
    ['pipit_completions_total', 'outcome="completed"'],
    ['pipit_tokens_total', 'kind="completion"'],
  ] as const)
    expect(metrics).toMatch(new RegExp(`^${name}\\{.*${label}.*\\} [1-9]`, 'm'))
})

test('the dashboard has one panel for each title and place', () => {
  const { panels } = JSON.parse(dashboard) as {
    panels: { title: string; gridPos: { x: number; y: number }; targets: { expr: string }[] }[]
  }
  for (const of of [
    panels.map(({ title }) => title),
    panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`),
  ])
    expect(new Set(of).size).toBe(panels.length)
  for (const { targets } of panels)
    for (const { expr } of targets) expect(expr).toContain('job="$job",instance=~"$instance"')
})

/** Returns the names of Pipit's, Node's and the process's metrics, without the suffixes of histograms. */
function namesIn(text: string): string[] {
  const found = [...text.matchAll(/\b(?:pipit|process|nodejs)_[a-z0-9_]*[a-z0-9]/g)]
  return [...new Set(found.map(([name]) => name.replace(/_(bucket|sum|count)$/, '')))]
}

function typesOf(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  )
}
