import { useBlocker } from '@tanstack/react-router'

/** Keeps the user on the page while it shows or awaits a secret that cannot be shown again. */
export function useStay(isNeeded: boolean): void {
  useBlocker({ shouldBlockFn: always, disabled: !isNeeded })
}

const always = () => true
