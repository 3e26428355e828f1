import type { Step } from './run-step.mjs'

export function landingSteps(): Step[]
export function fullSteps(): Step[]
