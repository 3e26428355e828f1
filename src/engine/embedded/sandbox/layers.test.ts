import { expect, test } from 'vitest'
import { describeLayers, layersIn } from './layers.ts'

test.each([
  [['node', 'main.js', '--sandbox=limits,landlock,seccomp'], 'sandboxed'],
  [['node', 'main.js', '--sandbox=limits,seccomp'], 'sandboxed without landlock'],
  [['node', 'main.js', '--sandbox=limits'], 'sandboxed without landlock and seccomp'],
  [['node', 'main.js', '--sandbox='], 'no sandbox'],
  [['node', 'main.js'], 'no sandbox'],
])('the arguments %j mean: %s', (processArguments, description) => {
  expect(describeLayers(layersIn(processArguments))).toBe(description)
})
