/** Returns the start of a foreign text, with `\uFFFD` in place of each character that a terminal might not just show. */
export function printableText(text: string, charsMax: number): string {
  return text.slice(0, charsMax).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')
}
