import { buildForTests } from '../../tools/build.mjs'

/** Vitest's global set-up: builds what is stale. */
export default async function setup(): Promise<void> {
  await buildForTests()
}
