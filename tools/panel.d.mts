export function buildPanel(root: string, folder: string): Promise<void>
export function firstLoads(folder: string): { page: string; bytes: number }[]
