type Cell = string | number | boolean | null

/** Returns RFC 4180 text. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function toCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, Cell>>[],
): string {
  const lines = rows.map((row) => columns.map((name) => toCell(row[name])).join(','))
  return [columns.join(','), ...lines, ''].join('\r\n')
}

function toCell(value: Cell): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
