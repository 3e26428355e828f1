const months =
  'January February March April May June July August September October November December'.split(' ')
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** Returns the local time as Python's `strftime` writes it in English. */
export function strftime(date: Date, format: string): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const [month = '', day = ''] = [months[date.getMonth()], days[date.getDay()]]
  const yearStart = new Date(date.getFullYear(), 0, 1)
  const dayOfYear = Math.round((midnightOf(date) - midnightOf(yearStart)) / 86_400_000) + 1
  const hour = date.getHours() % 12 || 12
  const fields: Readonly<Record<string, string>> = {
    Y: String(date.getFullYear()),
    y: two(date.getFullYear() % 100),
    m: two(date.getMonth() + 1),
    B: month,
    b: month.slice(0, 3),
    h: month.slice(0, 3),
    A: day,
    a: day.slice(0, 3),
    d: two(date.getDate()),
    e: String(date.getDate()).padStart(2),
    w: String(date.getDay()),
    H: two(date.getHours()),
    I: two(hour),
    M: two(date.getMinutes()),
    S: two(date.getSeconds()),
    p: date.getHours() < 12 ? 'AM' : 'PM',
    j: String(dayOfYear).padStart(3, '0'),
    '%': '%',
  }
  return format
    .replaceAll('%F', '%Y-%m-%d')
    .replaceAll('%T', '%H:%M:%S')
    .replaceAll(/%-?([A-Za-z%])/g, (whole, letter: string) => {
      const field = fields[letter] ?? whole
      return whole.startsWith('%-') ? field.replace(/^0+(?=\d)/, '') : field
    })
}

function midnightOf(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
}
