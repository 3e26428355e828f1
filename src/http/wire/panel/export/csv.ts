type Cell = string | number | boolean | null

/** Returns CSV by RFC 4180. Puts an apostrophe before a text that a spreadsheet would run as a formula. */
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
