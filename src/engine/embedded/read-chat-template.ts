import { open } from 'node:fs/promises'
import { StartError } from '../../errors.ts'
import { chatTemplateBytesMax } from '../../limits.ts'

/** Returns the text of a chat template's file. @throws StartError with one sentence that names the file and the cause */
export async function readChatTemplate(path: string): Promise<string> {
  const bytes = await readStart(path).catch((error: unknown) => {
    throw refusal(path, causeOf(error))
  })
  if (bytes.length > chatTemplateBytesMax)
    throw refusal(path, `it has more than ${chatTemplateBytesMax} bytes`)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (text.trim() !== '') return text
  } catch {
    throw refusal(path, 'it is not UTF-8')
  }
  throw refusal(path, 'it is empty')
}

/** Reads at most one byte more than the maximum: a device has no end. */
async function readStart(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is not a file')
    const buffer = Buffer.alloc(chatTemplateBytesMax + 1)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'it does not exist'
  return code === 'EACCES' ? 'this user may not read it' : error.message
}

function refusal(path: string, cause: string): StartError {
  return new StartError(
    `The chat template ${path} of PIPIT_CHAT_TEMPLATE cannot be used: ${cause}.`,
  )
}
