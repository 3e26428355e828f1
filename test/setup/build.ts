import { buildForTests } from '../../tools/build.mjs'

/** Vitest's global set-up: rebuilds all stale build products. */
export default async function setup(): Promise<void> {
  await buildForTests()
}
