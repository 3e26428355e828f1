import { type Unit, withTexts } from '../unit.ts'

const knownMax = 500

type ChangeTexts = (unit: Unit) => Unit

/**
 * Returns a function that shortens the SQL texts of units on their way to another thread. A text is sent once; after
 * that, only its number. Otherwise the other thread would copy and hash the texts for each request, and they are longer
 * than the values.
 */
export function textShortener(): ChangeTexts {
  return exchange((text, number) => [text, number])
}

/** Returns a function that restores the texts of units, which must arrive in the order in which they were shortened. */
export function textRestorer(): ChangeTexts {
  return exchange((text, number) => [number, text])
}

/** Both threads number the texts in the order of their first use. */
function exchange(toEntry: (text: string, number: string) => [from: string, to: string]) {
  const known = new Map<string, string>()
  const textFor = (sql: string) => {
    const other = known.get(sql)
    if (other === undefined && known.size < knownMax) known.set(...toEntry(sql, String(known.size)))
    return other ?? sql
  }
  return (unit: Unit) => withTexts(unit, textFor)
}
