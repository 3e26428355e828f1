import { expect, test } from 'vitest'
import { checkProcessor } from './check-machine.ts'

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
