/** Public name of the only model, whatever weights are loaded (docs/interface.md §1). */
export const modelId = 'svc-o1-mini'
