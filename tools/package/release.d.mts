export function writeRelease(options?: {
  targets?: string[]
  url?: string
  out?: string
}): Promise<string[]>
