import { StartError } from '../../errors.ts'
import { codeOf } from '../../storage/storage-fault.ts'

const diskCodes = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EPERM', 'EFBIG']

export function isDiskError(error: unknown): boolean {
  return diskCodes.includes(codeOf(error))
}

/**
 * Returns a StartError for an error of the disk, and any other error unchanged.
 * @param remedy end of the sentence about a full disk, after “Free some space”
 */
export function toDiskError(error: unknown, folder: string, remedy: string): unknown {
  if (error instanceof StartError || !isDiskError(error)) return error
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StartError(`The disk of ${folder} is full. Free some space${remedy}.`, {
      cause: error,
    })
  return new StartError(
    `${folder} cannot be written (${code}). Give the user that runs Pipit access to it, or set PIPIT_DATA_DIR.`,
    { cause: error },
  )
}
