import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

type DownloadButtonProps = {
  href: string
  /** For a response that does not name its own file. */
  fileName?: string
  children: ReactNode
}

/** A link that saves a file. */
export function DownloadButton({ href, fileName, children }: DownloadButtonProps) {
  return (
    <Button component="a" href={href} download={fileName ?? true} variant="default" size="xs">
      {children}
    </Button>
  )
}
