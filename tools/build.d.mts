/** The part of build.mjs that tests use. */
export function buildTestAddonIfStale(): Promise<void>
