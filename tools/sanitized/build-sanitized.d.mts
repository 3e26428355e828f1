/** The part of build-sanitized.mjs that tests use. */
export function buildSanitized(): Promise<{
  folder: string
  environment: Record<string, string>
}>
export const reportsFolder: string
