/**
 * The parts of a Markdown text that stand for themselves, at blank lines outside of code. Lists and
 * references over several parts are taken apart: it is for a text that is still growing, of which
 * only the last part is to be laid out again.
 */
export function splitBlocks(text: string): string[] {
  const lines = text.split('\n')
  const blocks: string[] = []
  let begin = 0
  let fence: string | undefined
  for (const [index, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
    const isEnd = fence === undefined && line.trim() === '' && /^\S/.test(lines[index + 1] ?? '')
    if (!isEnd) continue
    blocks.push(lines.slice(begin, index + 1).join('\n'))
    begin = index + 1
  }
  blocks.push(lines.slice(begin).join('\n'))
  return blocks
}
