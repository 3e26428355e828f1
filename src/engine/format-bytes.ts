const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** Formats a size for humans, in powers of ten: "640 B", "3.07 kB", "52 MB", "1.10 GB". */
export function formatBytes(bytes: number, round: (value: number) => number = Math.round): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1000 ** step
  const text = value < 10 && step > 0 ? (round(value * 100) / 100).toFixed(2) : `${round(value)}`
  return `${text} ${units[step]}`
}
