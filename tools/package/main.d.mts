/** The part of main.mjs that tests use. */
export function writePackages(options: { targets?: string[]; out: string }): Promise<string[]>

export function makeEmpty(folder: string, own: string): void
