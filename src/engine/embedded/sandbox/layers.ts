/** Parts of the sandbox around the engine process; a kernel may lack the last two. */
export const sandboxLayers = ['limits', 'landlock', 'seccomp'] as const
export type SandboxLayer = (typeof sandboxLayers)[number]

const option = '--sandbox='

/** Returns the layers in force, which the launcher has added to the arguments of the engine process. */
export function layersIn(processArguments: readonly string[]): SandboxLayer[] {
  const text = processArguments.find((argument) => argument.startsWith(option)) ?? option
  const names = text.slice(option.length).split(',')
  return sandboxLayers.filter((layer) => names.includes(layer))
}

/** Describes the sandbox in a few words for logs and the panel. */
export function describeLayers(layers: readonly SandboxLayer[]): string {
  if (layers.length === 0) return 'no sandbox'
  const missing = missingLayers(layers)
  return missing.length === 0 ? 'sandboxed' : `sandboxed without ${missing.join(' and ')}`
}

export function missingLayers(layers: readonly SandboxLayer[]): SandboxLayer[] {
  return sandboxLayers.filter((layer) => !layers.includes(layer))
}
