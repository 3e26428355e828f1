export function askBundled(url: string, key: string): Promise<string>
