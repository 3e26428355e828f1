import type { Logprobs } from '../../../../../src/protocol/chat/logprobs.ts'
import classes from './token-colours.module.css'
import { showProbability } from './token-probability.ts'

/** The reply with a colour for each token's probability. The table below has the figures. */
export function TokenColours({ tokens }: { tokens: Logprobs['content'] }) {
  return (
    <div>
      <p className={classes['text']}>
        {tokens.map(({ token, logprob }, index) => (
          <span key={index} data-level={levelOf(logprob)} title={showProbability(logprob)}>
            {token}
          </span>
        ))}
      </p>
      <p className={classes['legend']} aria-hidden="true">
        {levels.map(({ level, label }) => (
          <span key={level} data-level={level}>
            {label}
          </span>
        ))}
      </p>
    </div>
  )
}

const levels = [
  { level: 'high', label: '≥ 90%', min: 0.9 },
  { level: 'good', label: '50–90%', min: 0.5 },
  { level: 'fair', label: '20–50%', min: 0.2 },
  { level: 'low', label: '< 20%', min: 0 },
] as const

function levelOf(logprob: number): string {
  const probability = Math.exp(logprob)
  return levels.find(({ min }) => probability >= min)?.level ?? 'low'
}
