import { useLocation } from '@tanstack/react-router'

/** What stands after the # of a one-time link: browsers send it to nobody, so it is in no log. */
export function useLinkToken(): string {
  return useLocation({ select: ({ hash }) => hash })
}
