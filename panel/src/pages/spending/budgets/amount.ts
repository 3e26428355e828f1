/**
 * Returns the amount of a budget without spaces. Commas separate the thousands of tokens. In an amount of money a comma can
 * be the decimal point, so it stays, and the service refuses it.
 */
export function toAmount(kind: 'tokens' | 'money', text: string): string {
  return text.replaceAll(kind === 'tokens' ? /[\s,]/g : /\s/g, '')
}
