import { formatPercent } from '../../../format/format.ts'

/** Formats a log probability as a percentage, such as `42.3%`. */
export function showProbability(logprob: number): string {
  const probability = Math.exp(logprob)
  return probability < 0.001 ? '< 0.1%' : formatPercent(probability)
}
