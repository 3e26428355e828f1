/**
 * Splits Markdown into independent blocks at blank lines outside code. Used while a text grows, so that
 * only the last block is rendered again. The cost: a loose list becomes several lists, and a link
 * reference does not find its definition in another block.
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
