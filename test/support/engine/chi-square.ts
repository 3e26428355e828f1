/**
 * Computes the chi-square statistic of two samples of texts. Rare texts count as one kind, so that the statistic is
 * valid.
 */
export function compareSamples(
  first: readonly string[],
  second: readonly string[],
): { statistic: number; degreesOfFreedom: number } {
  const counts = new Map<string, [number, number]>()
  for (const [sample, kinds] of [first, second].entries())
    for (const kind of kinds) {
      const count = counts.get(kind) ?? [0, 0]
      count[sample] = (count[sample] ?? 0) + 1
      counts.set(kind, count)
    }
  const common = [...counts.values()].filter(([a, b]) => a + b >= commonMin)
  const rest = [...counts.values()].filter(([a, b]) => a + b < commonMin)
  const rare: [number, number] = [sum(rest.map(([a]) => a)), sum(rest.map(([, b]) => b))]
  const cells = rare[0] + rare[1] > 0 ? [...common, rare] : common
  const total = first.length + second.length
  const statistic = sum(
    cells.map(([a, b]) => {
      const expectedA = ((a + b) * first.length) / total
      const expectedB = ((a + b) * second.length) / total
      return (a - expectedA) ** 2 / expectedA + (b - expectedB) ** 2 / expectedB
    }),
  )
  return { statistic, degreesOfFreedom: cells.length - 1 }
}

/** Returns the 99.9 % quantile of chi-square (Wilson and Hilferty, 1931). */
export function rareStatistic(degreesOfFreedom: number): number {
  const spread = 2 / (9 * degreesOfFreedom)
  return degreesOfFreedom * (1 - spread + 3.09 * Math.sqrt(spread)) ** 3
}

const commonMin = 10

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
