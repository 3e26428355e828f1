import { formatPercent } from '../../../format/format.ts'

/** Writes the probability of a log-probability, such as `42.0%`. */
export function showProbability(logprob: number): string {
  const probability = Math.exp(logprob)
  return probability < 0.001 ? '< 0.1%' : formatPercent(probability)
}
