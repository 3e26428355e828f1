/** Returns a table that scrolls sideways on a narrow screen; nothing for no rows. The cells are HTML. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const cells = (tag: string, row: readonly string[]) =>
    row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')
  return `<div class="wide" tabindex="0"><table>
<thead><tr>${cells('th', head)}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n')}
</tbody>
</table></div>`
}

/** Returns HTML of plain text in which backquotes mark code. */
export function prose(plain: string): string {
  return escape(plain).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

export function escape(plain: string): string {
  return plain
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
