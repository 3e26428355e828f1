import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type ReferenceLinkProps = {
  /** The path of a page, and an id after `#`. */
  address: string
  className?: string
  isCurrent?: boolean
  onClick?: () => void
  children: ReactNode
}

/** A link within the reference. It changes the page without loading it again. */
export function ReferenceLink({ address, isCurrent, children, ...given }: ReferenceLinkProps) {
  const [path = '', hash] = address.split('#')
  return (
    <Link
      to={path}
      {...(hash !== undefined && { hash })}
      {...given}
      // Only the navigation marks the page that is shown.
      activeOptions={{ exact: true, includeHash: true }}
      activeProps={{ 'aria-current': undefined }}
      {...(isCurrent === true && { 'aria-current': 'page' as const })}
    >
      {children}
    </Link>
  )
}
