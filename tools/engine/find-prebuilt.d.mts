/** The part of find-prebuilt.mjs that tests use. */
export function findPrebuilt(
  id: string,
  name: 'addonKey' | 'launcherKey',
  key: string,
  from?: string,
): string | undefined
