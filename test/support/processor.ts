import { readFileSync } from 'node:fs'
import { beforeEach } from 'vitest'

/** As the system tells it, so that an engine that overlooks its instructions is noticed. */
const flags = new Set(
  readFileSync('/proc/cpuinfo', 'utf8')
    .match(/^flags\s*:.*$/m)?.[0]
    .split(' '),
)

/** Skips the tests of a file on processors that leave all arithmetic to llama.cpp. */
export function needOwnArithmetic(): void {
  const missing = ['avx512bw', 'avx512vl', 'avx512_vnni'].filter((flag) => !flags.has(flag))
  beforeEach(({ skip }) => skip(missing.length > 0, `this processor lacks ${missing.join(', ')}`))
}
