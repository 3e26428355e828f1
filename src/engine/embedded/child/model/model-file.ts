import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'

/**
 * Thrown for a file that cannot be used; the message is a clause that follows the file's name.
 */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError'
}

const headerBytes = 24
/** The least size of the description of a tensor or a metadata entry. */
const entryBytesMin = 12

/**
 * Checks the file type, the magic number and the counts of the header, before llama.cpp parses the
 * file.
 * @throws ModelFileError
 */
export async function checkModelFile(path: string): Promise<void> {
  const facts = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new ModelFileError(
      error.code === 'ENOENT' ? 'it does not exist' : `it cannot be read (${error.code})`,
    )
  })
  if (facts.isDirectory()) throw new ModelFileError('it is a directory')
  if (!facts.isFile()) throw new ModelFileError('it is not a regular file')
  if (facts.size === 0) throw new ModelFileError('it is empty')
  const header = await readHeader(path)
  if (header.toString('latin1', 0, 4) !== 'GGUF') throw new ModelFileError('it is not a GGUF file')
  if (header.length < headerBytes) throw new ModelFileError('it is truncated')
  const version = header.readUInt32LE(4)
  if (version < 2 || version > 3)
    throw new ModelFileError(`its GGUF version ${version} is not supported`)
  const entries = header.readBigUInt64LE(8) + header.readBigUInt64LE(16)
  if (entries * BigInt(entryBytesMin) > BigInt(facts.size))
    throw new ModelFileError('it is damaged: it announces more than it holds')
}

async function readHeader(path: string): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new ModelFileError(`it cannot be read (${error.code})`)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Returns the checksum in hex. Calls `onRead` with the number of bytes read so far. */
export async function sha256OfFile(
  path: string,
  onRead: (bytes: number) => void = () => {},
): Promise<string> {
  const hash = createHash('sha256')
  // Reads into one buffer: a stream would take as much memory as the file is large, until the next
  // garbage collection.
  const buffer = Buffer.alloc(1024 * 1024)
  const file = await open(path)
  try {
    for (let bytes = 0; ;) {
      const { bytesRead } = await file.read(buffer)
      bytes += bytesRead
      onRead(bytes)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(buffer.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}
