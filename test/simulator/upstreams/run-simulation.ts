// Prints the table of docs/scale-out.md: node test/simulator/upstreams/run-simulation.ts [seeds] [seconds]
import { simulateUpstreams } from './simulate-upstreams.ts'

const seeds = Number(process.argv[2] ?? 16)
const seconds = Number(process.argv[3] ?? 150)
const worlds = [
  { services: 2, engines: 2, replyTokens: 250 },
  { services: 4, engines: 4, replyTokens: 250 },
  { services: 16, engines: 4, replyTokens: 250 },
  { services: 16, engines: 16, replyTokens: 250 },
  { services: 16, engines: 16, replyTokens: 25 },
]
console.log(
  '| Services | Engines | Tokens of a reply | Mean, s | p99, s | Excess of the busiest engine |',
)
console.log('|---|---|---|---|---|---|')
for (const world of worlds) {
  const [own, read] = [false, true].map((reads) =>
    Array.from({ length: seeds }, (_, i) =>
      simulateUpstreams({ ...world, reads, seconds, seed: i + 1 }),
    ),
  )
  const both = (name: 'meanMs' | 'p99Ms' | 'excess', unit: number) =>
    [own, read]
      .map((runs = []) => runs.reduce((sum, run) => sum + run[name], 0) / runs.length / unit)
      .map((value) => value.toFixed(1))
      .join(' → ')
  const { services, engines, replyTokens } = world
  console.log(
    `| ${services} | ${engines} | ${replyTokens} | ${both('meanMs', 1000)} | ${both('p99Ms', 1000)} | ${both('excess', 1)} |`,
  )
}
