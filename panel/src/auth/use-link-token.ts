import { useLocation } from '@tanstack/react-router'

/** Returns the secret after the # of a one-time link. Browsers send it to no server, so it appears in no log. */
export function useLinkSecret(): string {
  return useLocation({ select: ({ hash }) => hash })
}
