/** English number formats, like the panel's texts. */
const locale = 'en'
const counts = new Intl.NumberFormat(locale)
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 })
const threeDigits = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })
const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })

/** 1,234,567 */
export function formatCount(value: number): string {
  return counts.format(value)
}

/** 1.23M. Use it only where the exact number is shown nearby. */
export function formatCompact(value: number): string {
  return compact.format(value)
}

/** 0.0713 → 7.1% */
export function formatPercent(share: number): string {
  return percents.format(share)
}

/**
 * €1,234.57, €0.000183
 * @param amount decimal text, so that no digits are lost to a float
 */
export function formatMoney(amount: string, currency: string): string {
  const isSmall = /^0\.0*[1-9]/.test(amount)
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: isSmall ? 6 : 2 }
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits })
  // The service sends decimal numbers only.
  return format.format(amount as `${number}`)
}

/** 38.4 tokens/s */
export function formatTokensPerSecond(value: number): string {
  return `${value >= 100 ? counts.format(Math.round(value)) : threeDigits.format(value)} tokens/s`
}

/** 340 ms, 1.25 s, 2 min 5 s, 3 h 4 min, 2 d 3 h */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 59.95) return `${threeDigits.format(seconds)} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return joined(whole, 60, 'min', 's')
  const minutes = Math.round(seconds / 60)
  if (minutes < 24 * 60) return joined(minutes, 60, 'h', 'min')
  return joined(Math.round(minutes / 60), 24, 'd', 'h')
}

/** Formats an amount in two units, such as 125 minutes as `2 h 5 min`. Omits the smaller unit when it is zero. */
function joined(amount: number, each: number, big: string, small: string): string {
  const rest = amount % each
  return `${Math.floor(amount / each)} ${big}${rest === 0 ? '' : ` ${rest} ${small}`}`
}
