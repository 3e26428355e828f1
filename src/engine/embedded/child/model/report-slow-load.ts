import { loadReportDelayMaxMs, loadReportDelayMs } from '../../../../limits.ts'

/** Calls `report` after two seconds, then after longer and longer delays. Returns a function that stops it. */
export function reportSlowLoad(report: () => void): () => void {
  let delayMs = loadReportDelayMs
  const next = (): NodeJS.Timeout =>
    setTimeout(() => {
      report()
      delayMs = Math.min(2 * delayMs, loadReportDelayMaxMs)
      timer = next()
    }, delayMs)
  let timer = next()
  return () => clearTimeout(timer)
}
