import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../config.ts'
import { checkMemory, checkProcessor } from './check-machine.ts'

test('the features of the processor tell the kernels', () => {
  const textOf = (flags: string) =>
    checkProcessor(`model name\t: X\nflags\t\t: fpu ${flags}\n`).text
  expect(textOf('avx2 fma avx512bw avx512vl avx512_vnni')).toMatch(/: AVX-512 VNNI, the fastest/)
  expect(textOf('avx2 fma f16c avx_vnni')).toMatch(/: AVX-VNNI, kernels of Pipit$/)
  expect(textOf('avx2 fma f16c avx512bw')).toMatch(/: AVX2, kernels of Pipit$/)
  expect(textOf('sse4_2')).toMatch(/without AVX2/)
  expect(checkProcessor('').text).toMatch(/features cannot be read here$/)
  expect(checkProcessor('', 'arm64')).toMatchObject({
    state: 'ok',
    text: expect.stringMatching(/: kernels of llama\.cpp$/),
  })
})

test('the memory for a split model is that for all its parts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const part of ['00001', '00002']) {
    writeFileSync(join(folder, `m-${part}-of-00002.gguf`), '')
    // A hole, which takes no space on the disk.
    truncateSync(join(folder, `m-${part}-of-00002.gguf`), 2e9)
  }
  const { engine } = loadConfig({ PIPIT_MODEL: join(folder, 'm-00001-of-00002.gguf') })
  expect(await checkMemory(engine, { available: 3e9 })).toMatchObject({
    state: 'fault',
    text: expect.stringMatching(/^3\.0 GB of .* available, but the model needs 4\.3 GB$/),
  })
  expect(await checkMemory(engine, { available: 5e9 })).toMatchObject({ state: 'ok' })
  // A running service holds the model already.
  expect(await checkMemory(engine, { available: 3e9, isServed: true })).toMatchObject({
    state: 'ok',
  })
})
