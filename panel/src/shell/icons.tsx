import type { ReactNode } from 'react'

/** Inherits the text colour. Hidden from screen readers, since each icon has a label beside it. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}

export const icons = {
  keys: (
    <Icon>
      <circle cx="5" cy="11" r="3" />
      <path d="M7.2 8.8 13.5 2.5M11 5l2 2" />
    </Icon>
  ),
  usage: (
    <Icon>
      <path d="M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6" />
    </Icon>
  ),
  requests: (
    <Icon>
      <path d="M3 4h10M3 8h10M3 12h6" />
    </Icon>
  ),
  playground: (
    <Icon>
      <path d="M13.5 8.5a4 4 0 0 1-4 4H5l-2.5 1.5V6.5a4 4 0 0 1 4-4h3a4 4 0 0 1 4 4z" />
    </Icon>
  ),
  live: (
    <Icon>
      <path d="M1.5 8.5h3l2-5.5 3 10 2-4.5h3" />
    </Icon>
  ),
  model: (
    <Icon>
      <rect x="4" y="4" width="8" height="8" rx="1" />
      <path d="M6.5 4V1.5M9.5 4V1.5M6.5 14.5V12M9.5 14.5V12M4 6.5H1.5M4 9.5H1.5M14.5 6.5H12M14.5 9.5H12" />
    </Icon>
  ),
  quickStart: (
    <Icon>
      <path d="M3 2.5h7.5a2 2 0 0 1 2 2v9H5a2 2 0 0 1-2-2zM3 11.5a2 2 0 0 1 2-2h7.5" />
    </Icon>
  ),
  reference: (
    <Icon>
      <path d="m5.5 4.5-3 3.5 3 3.5M10.5 4.5l3 3.5-3 3.5" />
    </Icon>
  ),
  spending: (
    <Icon>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M10 5.9a2.6 2.6 0 1 0 0 4.2M5 8h3" />
    </Icon>
  ),
  accounts: (
    <Icon>
      <circle cx="6" cy="5.5" r="2.5" />
      <path d="M1.5 13.5c.4-2.6 2.1-4 4.5-4s4.1 1.4 4.5 4M11 3.2a2.5 2.5 0 0 1 0 4.6M12.5 9.8c1.2.6 1.9 1.9 2.1 3.7" />
    </Icon>
  ),
  audit: (
    <Icon>
      <path d="M3 1.5h10v13H3zM5.5 5h5M5.5 8h5M5.5 11h3" />
    </Icon>
  ),
  replicas: (
    <Icon>
      <path d="M2.5 2.5h11v4h-11zM2.5 9.5h11v4h-11zM5 4.5h.01M5 11.5h.01" />
    </Icon>
  ),
  settings: (
    <Icon>
      <path d="M2.5 4.5h5M11 4.5h2.5M2.5 11.5H5M8.5 11.5h5" />
      <circle cx="9.25" cy="4.5" r="1.75" />
      <circle cx="6.75" cy="11.5" r="1.75" />
    </Icon>
  ),
  signOut: (
    <Icon>
      <path d="M6.5 2.5h-4v11h4M10 5l3 3-3 3M13 8H6" />
    </Icon>
  ),
}
