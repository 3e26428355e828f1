import type { FileHandle } from 'node:fs/promises'

const blockBytes = 1024 * 1024

/**
 * Appends chunks to a file in blocks of 1 MiB. One block is written while the next one fills, so that network and disk
 * work at the same time.
 */
export class BlockWriter {
  readonly #output: FileHandle
  readonly #onBlock: (block: Buffer) => void
  #filling = Buffer.allocUnsafe(blockBytes)
  #spare = Buffer.allocUnsafe(blockBytes)
  #filled = 0
  #writing: Promise<void> = Promise.resolve()

  /** @param onBlock receives each block once its write has begun; the block is overwritten later */
  constructor(output: FileHandle, onBlock: (block: Buffer) => void) {
    this.#output = output
    this.#onBlock = onBlock
  }

  /**
   * Copies a chunk, and waits while both blocks are full.
   * @throws the error of an earlier block's write
   */
  async add(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      const copied = chunk.copy(this.#filling, this.#filled, at)
      at += copied
      this.#filled += copied
      if (this.#filled === blockBytes) await this.#startWrite()
    }
  }

  /** Writes all added bytes. Resolves once they are written. */
  async flush(): Promise<void> {
    await this.#startWrite()
    await this.#writing
  }

  async #startWrite(): Promise<void> {
    await this.#writing
    const block = this.#filling.subarray(0, this.#filled)
    this.#writing = this.#append(block)
    // The next `add` or `flush` throws the error.
    this.#writing.catch(() => {})
    this.#onBlock(block)
    this.#filling = this.#spare
    this.#spare = Buffer.from(block.buffer, block.byteOffset, blockBytes)
    this.#filled = 0
  }

  async #append(block: Buffer): Promise<void> {
    for (let at = 0; at < block.length;) {
      const { bytesWritten } = await this.#output.write(block, at, block.length - at, null)
      at += bytesWritten
    }
  }
}
