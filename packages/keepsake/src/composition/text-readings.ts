/** What can be read of a text once and for all. */
const READINGS = { unspoken: 0, elliptic: 1, claims: 2 } as const
export type Reading = keyof typeof READINGS

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
  /** By the text: for each reading a bit that says whether it was read, and above these one that says what. */
  readonly #known = new Map<string, number>()
  readonly #marks = new Map<string, number>()

  get bytes(): number {
    return (this.#known.size + this.#marks.size) * TEXT_BYTES
  }

  /** @param ask what tells it of the text alone */
  read(what: Reading, text: string, ask: (text: string) => boolean): boolean {
    const bits = this.#known.get(text) ?? 0
    const isRead = 1 << READINGS[what]
    const says = isRead << 4
    if ((bits & isRead) !== 0) return (bits & says) !== 0
    const answer = ask(text)
    keep(this.#known, text, bits | isRead | (answer ? says : 0))
    return answer
  }

  /** The mark of a text's terms. @param make what makes it of the text alone */
  mark(text: string, make: () => number): number {
    const known = this.#marks.get(text)
    if (known !== undefined) return known
    const mark = make()
    keep(this.#marks, text, mark)
    return mark
  }
}

function keep(known: Map<string, number>, text: string, value: number): void {
  known.set(text, value)
  const [oldest] = known.size > MOST_TEXTS ? known.keys() : []
  if (oldest !== undefined) known.delete(oldest)
}
