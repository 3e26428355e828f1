import { ServiceError } from '../errors.ts'
import { nameBytesMax, nameCharsMax } from '../limits.ts'

/** What people call a key or themselves. @throws ServiceError invalid_value */
export function parseName(text: string): string {
  const name = text.normalize('NFC').trim()
  const chars = [...new Intl.Segmenter().segment(name)].length
  if (chars === 0) throw invalidName('The name is empty: give one, such as `laptop`.')
  if (chars > nameCharsMax || Buffer.byteLength(name) > nameBytesMax)
    throw invalidName(`The name is too long: at most ${nameCharsMax} characters.`)
  // Control and direction marks could make one name look like another.
  if (!name.isWellFormed() || /[\p{C}\p{Zl}\p{Zp}]/u.test(name.replaceAll(joined, '')))
    throw invalidName('The name holds a character that cannot be printed: leave it out.')
  return name
}

/** What holds together emoji, and keeps apart letters of Arabic script, is seen. */
const joined = /\p{RGI_Emoji}|(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})/gv

function invalidName(message: string): ServiceError {
  return new ServiceError('invalid_value', message, { param: 'name' })
}
