import { useLocation } from '@tanstack/react-router'

/** Returns the secret after the # of a one-time link. Browsers never send it to a server, so it appears in no log. */
export function useLinkSecret(): string {
  return useLocation({ select: ({ hash }) => hash })
}
