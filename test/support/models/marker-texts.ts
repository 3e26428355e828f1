/** Returns the texts in a chat template that look like marks of turns, thoughts, calls and the like. */
export function markerTexts(template: string): string[] {
  const marks =
    /<\/?[|｜]?"?[\p{L}\p{N}_:|｜▁~./-]*[|｜]?>|\[\/?[A-Z][A-Z_]*\]|\]~!b\[|\]~b\]|\[e~\[/gu
  return [...new Set(template.match(marks))].filter((text) => text.length > 2)
}
