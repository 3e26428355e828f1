import { ServiceError } from '../errors.ts'
import { nameBytesMax, nameCharsMax } from '../limits.ts'

/** Normalises the name of a key, an account or a user. @throws ServiceError invalid_value */
export function parseName(text: string): string {
  const name = text.normalize('NFC').trim()
  const chars = [...new Intl.Segmenter().segment(name)].length
  if (chars === 0) throw invalidName('Enter a name, such as `laptop`.')
  if (chars > nameCharsMax || Buffer.byteLength(name) > nameBytesMax)
    throw invalidName(`The name is too long. Use at most ${nameCharsMax} characters.`)
  // Control characters and direction marks could make one name look like another.
  if (!name.isWellFormed() || /[\p{C}\p{Zl}\p{Zp}]/u.test(name.replaceAll(joined, '')))
    throw invalidName('The name contains a character that cannot be displayed. Remove it.')
  return name
}

/** Invisible characters that are allowed: joiners within emoji and non-joiners within Arabic script. */
const joined = /\p{RGI_Emoji}|(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})/gv

function invalidName(message: string): ServiceError {
  return new ServiceError('invalid_value', message, { param: 'name' })
}
