#!/usr/bin/env node
// Import nothing before this check: an old Node would fail with a syntax error in a package.
const nodeMin = [22, 18] as const
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < nodeMin[0] || (major === nodeMin[0] && minor < nodeMin[1])) {
  process.stderr.write(
    `pipit needs Node ${nodeMin.join('.')} or newer, preferably 24; this is Node ${process.versions.node}. ` +
      'Run `npm start` in the checkout, which uses its own Node, or install a newer one.\n',
  )
  process.exitCode = 1
} else {
  if (process.argv[2] === 'serve') (await import('./memory-settings.ts')).applyMemorySettings()
  const { runProgram } = await import('./program.ts')
  await runProgram(process.argv)
}
export {}
