import { readFile } from 'node:fs/promises'

/** A part of a model card, in Markdown without images. The first part has no title. */
export type CardSection = { readonly title: string; readonly text: string }

/** Returns the sections of the model card; none if there is no card. */
export async function readModelCard(path: string | undefined): Promise<CardSection[]> {
  if (path === undefined) return []
  const text = await readFile(path, 'utf8').catch(() => '')
  return splitCard(text)
}

/**
 * Splits Markdown at second-level headings. Drops images and the title, because the panel shows no images and has its
 * own title.
 */
export function splitCard(markdown: string): CardSection[] {
  const lines = markdown.split('\n').filter((line) => !/^#\s/.test(line))
  const sections: { title: string; lines: string[] }[] = [{ title: '', lines: [] }]
  let isCode = false
  for (const line of lines) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
    const title = isCode ? undefined : /^##\s+(.*?)\s*#*$/.exec(line)?.[1]
    if (title === undefined) sections.at(-1)?.lines.push(line)
    else sections.push({ title, lines: [] })
  }
  return sections
    .map(({ title, lines: own }) => ({ title, text: withoutImages(own.join('\n')).trim() }))
    .filter(({ title, text }) => title !== '' || text !== '')
}

function withoutImages(markdown: string): string {
  return markdown.replaceAll(/!\[[^\]\n]*\]\([^)\n]*\)\n?/g, '')
}
