/** The part of build.mjs that tests use. */
export function buildForTests(): Promise<void>
