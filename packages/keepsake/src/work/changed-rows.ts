/** Rows of which something changed since the last time, each counted once however often it did. */
export class ChangedRows {
  #isChanged = new Uint8Array(64)
  #count = 0

  get count(): number {
    return this.#count
  }

  note(row: number): void {
    if (row >= this.#isChanged.length) {
      const before = this.#isChanged
      this.#isChanged = new Uint8Array(2 * row)
      this.#isChanged.set(before)
    }
    if (this.#isChanged[row] === 1) return
    this.#isChanged[row] = 1
    this.#count += 1
  }

  clear(): void {
    this.#isChanged.fill(0)
    this.#count = 0
  }
}
