/** The public name of the one model, whatever weights serve it (docs/interface.md §1). */
export const modelId = 'svc-o1-mini'
