/** What can be read of a text once and for all. */
const READINGS = { unspoken: 0, elliptic: 1, claims: 2 } as const
export type Reading = keyof typeof READINGS

/** Where the bits begin that say what was read, and those of the mark; and the bit that says whether there is one. */
const SAYS = 4
const MARK = 8
const IS_MARKED = 1 << (SAYS - 1)

/** Texts of which something is known, beyond which the one known longest is left out. */
const MOST_TEXTS = 4_096
/** Of an entry on the heap; the texts themselves are those of turns at hand. */
const TEXT_BYTES = 64

/**
 * What was read of the texts that one person's contexts tell, question after question: the same whatever is asked. Kept with what is
 * at hand of the person, so that it goes when their words do.
 *
 * @example
 * const readings = new TextReadings()
 * readings.read('unspoken', text, isMostlyUnspoken) // asks
 * readings.read('unspoken', text, isMostlyUnspoken) // knows
 */
export class TextReadings {
  /**
   * By the text: for each reading a bit that says whether it was read, one that says what, and the mark above these. One number, and one
   * look-up that a text's words are hashed for.
   */
  readonly #known = new Map<string, number>()

  get bytes(): number {
    return this.#known.size * TEXT_BYTES
  }

  /** @param ask what tells it of the text alone */
  read(what: Reading, text: string, ask: (text: string) => boolean): boolean {
    const bits = this.#known.get(text) ?? 0
    const isRead = 1 << READINGS[what]
    const says = isRead << SAYS
    if ((bits & isRead) !== 0) return (bits & says) !== 0
    const answer = ask(text)
    this.#keep(text, bits | isRead | (answer ? says : 0))
    return answer
  }

  /** The mark of a text's terms. @param make what makes it of the text alone: 24 bits at most */
  mark(text: string, make: () => number): number {
    const bits = this.#known.get(text) ?? 0
    if ((bits & IS_MARKED) !== 0) return bits >>> MARK
    const mark = make()
    this.#keep(text, bits | IS_MARKED | (mark << MARK))
    return mark
  }

  #keep(text: string, bits: number): void {
    this.#known.set(text, bits)
    const [oldest] = this.#known.size > MOST_TEXTS ? this.#known.keys() : []
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}
