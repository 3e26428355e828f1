/** Time over which the speed is averaged. */
const windowMs = 5_000
/** Time before the first estimate. */
const firstMs = 1_000
/** Time between two samples. */
const sampleMs = 100

/** Measures the speed of a download, averaged over the last seconds. */
export class TransferSpeed {
  #samples: { readonly ms: number; readonly bytes: number }[] = []
  #bytes = 0
  #sampledMs = -Infinity

  /** @param bytes all bytes so far, including earlier downloads; fewer than before if the download starts over */
  add(bytes: number, ms = performance.now()): void {
    // The first bytes may be those of an earlier download.
    if (this.#samples.length === 0 || bytes < this.#bytes) this.#samples = [{ ms, bytes }]
    this.#bytes = bytes
    if (ms - this.#sampledMs < sampleMs) return
    this.#sampledMs = ms
    this.#samples.push({ ms, bytes })
    while ((this.#samples[1]?.ms ?? ms) < ms - windowMs) this.#samples.shift()
  }

  /** Mean speed of the last seconds; undefined in the first second and if no bytes have arrived. */
  get bytesPerSecond(): number | undefined {
    const [first] = this.#samples
    const last = this.#samples.at(-1)
    if (first === undefined || last === undefined || last.ms - first.ms < firstMs) return undefined
    const speed = ((last.bytes - first.bytes) * 1000) / (last.ms - first.ms)
    return speed > 0 ? speed : undefined
  }
}
