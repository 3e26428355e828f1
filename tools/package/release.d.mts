export function checkUrl(url: string): void

export function writeRelease(options?: {
  targets?: string[]
  url?: string
  out?: string
}): Promise<string[]>
