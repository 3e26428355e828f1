import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

type DownloadButtonProps = {
  href: string
  /** The file's name, if the response does not give one. */
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
