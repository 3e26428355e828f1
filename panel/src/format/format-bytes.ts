const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']
const threeDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** 640 B, 3.07 kB, 52 MB, 1.1 GB: powers of ten, like the command line. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return `${threeDigits.format(bytes / 1000 ** step)} ${units[step]}`
}
