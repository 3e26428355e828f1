#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=4
// Two arenas of malloc: each of V8's threads would keep what its compilations have freed in one of its own.
// Nothing is imported before the check: an old Node would end in a syntax error of some package.
const nodeMin = [22, 18] as const
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < nodeMin[0] || (major === nodeMin[0] && minor < nodeMin[1])) {
  process.stderr.write(
    `pipit needs Node ${nodeMin.join('.')} or newer (24 is best) and this is ${process.versions.node}: ` +
      'use `npm start` in the checkout, which brings its own, or install a newer Node.\n',
  )
  process.exitCode = 1
} else {
  const { runProgram } = await import('./program.ts')
  await runProgram(process.argv)
}
export {}
