// Columns have one value for each row (match-types.ts).
/** Columns that all searches reuse, since one search ends before the next begins. */
class Columns {
  wordScores = new Float32Array(0)
  windowScores = new Float32Array(0)
  heldRarity = new Float32Array(0)
  /** Highest gain of each window by the current word. All are 0 between two words. */
  maxGains = new Float32Array(0)
  /** Gains of the rows in `gainingRows` by the current word. All are 0 between two words. */
  gains = new Float32Array(0)
  gainingRows = new Int32Array(0)
  cosine = new Float32Array(0)
  inReach = new Uint8Array(0)
  firstsInQuery = new Int32Array(0)
  raisedRows = new Int32Array(0)
  sums = new Float64Array(0)
  scores = new Float64Array(0)

  /** Clears the columns, or enlarges them with a quarter more than needed. */
  reset(length: number): void {
    if (this.wordScores.length < length) {
      const capacity = Math.ceil(length * 1.25)
      for (const name of ['wordScores', 'windowScores', 'heldRarity', 'maxGains', 'gains', 'cosine'] as const)
        this[name] = new Float32Array(capacity)
      this.inReach = new Uint8Array(capacity)
      this.firstsInQuery = new Int32Array(capacity)
      this.raisedRows = new Int32Array(capacity)
      this.gainingRows = new Int32Array(capacity)
      this.sums = new Float64Array(capacity)
      this.scores = new Float64Array(capacity)
      return
    }
    this.wordScores.fill(0, 0, length)
    this.windowScores.fill(0, 0, length)
    this.heldRarity.fill(0, 0, length)
    this.firstsInQuery.fill(0, 0, length)
  }
}

export const columns: Columns = new Columns()
