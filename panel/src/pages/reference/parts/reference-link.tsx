import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type ReferenceLinkProps = {
  /** A page's path, optionally followed by `#` and an id. */
  address: string
  className?: string
  isCurrent?: boolean
  onClick?: () => void
  children: ReactNode
}

/** A link within the reference. Navigates without a full page load. */
export function ReferenceLink({ address, isCurrent, children, ...given }: ReferenceLinkProps) {
  const [path = '', hash] = address.split('#')
  return (
    <Link
      to={path}
      {...(hash !== undefined && { hash })}
      {...given}
      // Only the navigation marks the current page, with `isCurrent`.
      activeOptions={{ exact: true, includeHash: true }}
      activeProps={{ 'aria-current': undefined }}
      {...(isCurrent === true && { 'aria-current': 'page' as const })}
    >
      {children}
    </Link>
  )
}
