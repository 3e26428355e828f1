export function takeObject(key: string, object: string, folder?: string): boolean
export function keepObject(key: string, object: string, folder?: string): void
