import { expect, test } from 'vitest'
import type { ChildSettings } from '../../ipc.ts'
import { type Device, openDevice } from './device.ts'

const settings: ChildSettings = {
  kind: 'embedded',
  parentPid: 1,
  addonPath: '/addon',
  librariesPath: '/libraries',
  fallbackLibrariesPath: undefined,
  gpu: undefined,
  launcherPath: undefined,
  sandbox: true,
  llamaBuild: 'b',
  modelPath: '/model.gguf',
  modelSha256: undefined,
  slots: 1,
  contextTokens: 256,
  kvType: 'f16',
  availableBytes: undefined,
  threads: 1,
  cachedTokens: undefined,
  arithmetic: undefined,
  speculativeTokens: 8,
  heartbeatMs: 1000,
}

function open(gpu: ChildSettings['gpu'], devices: { name: string; freeBytes: number }[]): Device {
  return openDevice({ ...settings, gpu }, { loadBackends: () => devices })
}

test('without a GPU package the device is the CPU', () => {
  expect(open(undefined, [])).toEqual({ kind: 'cpu', description: 'CPU', freeBytes: undefined })
})

test('the free memory of several GPUs is added up', () => {
  const devices = [
    { name: 'NVIDIA H200', freeBytes: 2e9 },
    { name: 'NVIDIA H200', freeBytes: 3e9 },
  ]
  expect(open({ kind: 'cuda', required: true }, devices)).toEqual({
    kind: 'cuda',
    description: 'cuda on NVIDIA H200 + NVIDIA H200',
    freeBytes: 5e9,
  })
})

test('a required GPU that is missing is refused in one sentence', () => {
  expect(() => open({ kind: 'cuda', required: true }, [])).toThrow(
    'PIPIT_GPU=cuda finds no device: check the driver and the CUDA runtime, or set PIPIT_GPU=off.',
  )
})

test('a missing optional GPU falls back to the CPU, and the description says why', () => {
  expect(open({ kind: 'vulkan', required: false }, [])).toEqual({
    kind: 'cpu',
    description: 'CPU (vulkan finds no device: check the driver)',
    freeBytes: undefined,
  })
})
