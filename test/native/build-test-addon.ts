import { buildTestAddonIfStale } from '../../tools/build.mjs'

/** Vitest's global set-up: builds the addon through which tests call C++ functions. */
export default async function setup(): Promise<void> {
  await buildTestAddonIfStale()
}
