import type { GpuKind } from '../../../engine-settings.ts'
import type { ChildSettings } from '../../ipc.ts'
import type { Addon } from '../addon.ts'
import { SettingsError } from './settings-error.ts'

/** The CPU or GPUs that hold the model's layers and the KV cache. */
export type Device = {
  readonly kind: 'cpu' | GpuKind
  /** A text for logs and the panel. */
  readonly description: string
  /** Free memory of all GPUs; undefined for the CPU. */
  readonly freeBytes: number | undefined
}

const descriptionCharsMax = 200

/**
 * Loads llama.cpp's backends and chooses the device; call it once.
 * @throws SettingsError when a required GPU is missing
 */
export function openDevice(
  { librariesPath, fallbackLibrariesPath, gpu }: ChildSettings,
  addon: Pick<Addon, 'loadBackends'>,
): Device {
  const devices = addon.loadBackends(librariesPath, fallbackLibrariesPath)
  if (gpu === undefined) return { kind: 'cpu', description: 'CPU', freeBytes: undefined }
  if (devices.length > 0) {
    const names = devices.map(({ name }) => name).join(' + ')
    return {
      kind: gpu.kind,
      description: `${gpu.kind} on ${names}`.slice(0, descriptionCharsMax),
      freeBytes: devices.reduce((sum, { freeBytes }) => sum + freeBytes, 0),
    }
  }
  const runtime = gpu.kind === 'cuda' ? 'the driver and the CUDA runtime' : 'the driver'
  if (gpu.required)
    throw new SettingsError(
      `PIPIT_GPU=${gpu.kind} finds no device: check ${runtime}, or set PIPIT_GPU=off.`,
    )
  return {
    kind: 'cpu',
    description: `CPU (${gpu.kind} finds no device: check ${runtime})`,
    freeBytes: undefined,
  }
}
