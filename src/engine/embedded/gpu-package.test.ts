import { describe, expect, test } from 'vitest'
import type { GpuSetting } from '../engine-settings.ts'
import { chooseGpu } from './gpu-package.ts'

const cuda = '@node-llama-cpp/linux-x64-cuda'
const vulkan = '@node-llama-cpp/linux-x64-vulkan'
const metal = '@node-llama-cpp/mac-arm64-metal'

function choose(
  setting: GpuSetting,
  installed: Record<string, string> = {},
  platform = 'linux-x64',
): string | undefined {
  return chooseGpu(setting, { platform, version: '3.22.1', versionOf: (name) => installed[name] })
}

describe('auto', () => {
  test('means the CPU when no GPU package is installed', () => {
    expect(choose('auto')).toBeUndefined()
    expect(choose('auto', {}, 'linux-arm64')).toBeUndefined()
  })

  test('takes the installed package, CUDA before Vulkan', () => {
    expect(choose('auto', { [vulkan]: '3.22.1' })).toBe('vulkan')
    expect(choose('auto', { [vulkan]: '3.22.1', [cuda]: '3.22.1' })).toBe('cuda')
    expect(choose('auto', { [metal]: '3.22.1' }, 'darwin-arm64')).toBe('metal')
  })

  test('ignores a package of another version', () => {
    expect(choose('auto', { [cuda]: '3.22.0' })).toBeUndefined()
    expect(choose('auto', { [cuda]: '3.22.0', [vulkan]: '3.22.1' })).toBe('vulkan')
  })
})

test('off means the CPU, whatever is installed', () => {
  expect(choose('off', { [cuda]: '3.22.1' })).toBeUndefined()
})

describe('a configured GPU', () => {
  test('is used when its package is installed, whatever else is', () => {
    expect(choose('vulkan', { [cuda]: '3.22.1', [vulkan]: '3.22.1' })).toBe('vulkan')
  })

  test('is refused with the command that installs it', () => {
    expect(() => choose('cuda')).toThrow(
      `PIPIT_GPU=cuda needs the package ${cuda} 3.22.1, which is not installed: ` +
        `run \`npm install --no-save ${cuda}@3.22.1 ${cuda}-ext@3.22.1\`.`,
    )
    expect(() => choose('vulkan', { [vulkan]: '3.22.0' })).toThrow(
      `PIPIT_GPU=vulkan needs the package ${vulkan} 3.22.1, which is installed as 3.22.0: ` +
        `run \`npm install --no-save ${vulkan}@3.22.1\`.`,
    )
  })

  test('is refused on a platform without such a package', () => {
    expect(() => choose('metal')).toThrow(
      'PIPIT_GPU=metal is not for linux-x64 but for macOS: set it to auto or off or cuda or vulkan.',
    )
    expect(() => choose('cuda', {}, 'darwin-arm64')).toThrow(
      /^PIPIT_GPU=cuda is not for darwin-arm64:/,
    )
  })
})
