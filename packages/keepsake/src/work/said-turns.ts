import { ROLES_BY_CODE, type DocumentTable } from '../retrieval/document-table.ts'
import type { Turn } from '../turns/turn.ts'
import { PackedTexts } from './packed-texts.ts'

/**
 * As many turns are kept at hand for the next who asks: all that a person says in some months, so that a question reads no rows. Their
 * bytes count.
 */
const MOST_SAID = 8_192

/** What the table of documents does not tell of a turn, where there is more than its text. */
type TextAndMore = readonly [text: string, timeZone: Turn['timeZone'], metadata: Turn['metadata']]

/** Ahead of what is written as {@link TextAndMore}, and of no text that is written plainly. */
const MORE = '\u0000'

/**
 * Turns read lately, of those that a person's table of documents holds: their texts alone, since the table tells the rest. Whoever asks
 * is given a turn of their own.
 */
export class SaidTurns {
  readonly #table: Readonly<DocumentTable>
  #lately = new PackedTexts()
  /** What was asked for before that; half of what is kept, at most, was asked for no more since. */
  #before = new PackedTexts()

  constructor(table: Readonly<DocumentTable>) {
    this.#table = table
  }

  get bytes(): number {
    return this.#lately.bytes + this.#before.bytes
  }

  has(id: string): boolean {
    const row = this.#table.rowOf(id)
    return row !== undefined && (this.#lately.has(row) || this.#before.has(row))
  }

  get(id: string): Turn | undefined {
    const row = this.#table.rowOf(id)
    if (row === undefined) return undefined
    const text = this.#lately.get(row) ?? this.#again(row)
    return text === undefined ? undefined : this.#turnAt(row, id, text)
  }

  /** Keeps one at hand; one that the table does not hold yet is not kept. */
  put({ id, text, timeZone, metadata }: Turn): void {
    const row = this.#table.rowOf(id)
    if (row === undefined) return
    const isPlain = timeZone === null && metadata === null && !text.startsWith(MORE)
    const more: TextAndMore = [text, timeZone, metadata]
    this.#keep(row, isPlain ? text : MORE + JSON.stringify(more))
  }

  #again(row: number): string | undefined {
    const text = this.#before.get(row)
    if (text !== undefined) this.#keep(row, text)
    return text
  }

  #keep(row: number, text: string): void {
    if (this.#lately.size >= MOST_SAID / 2) {
      this.#before = this.#lately
      this.#lately = new PackedTexts()
    }
    this.#lately.put(row, text)
  }

  #turnAt(row: number, id: string, written: string): Turn {
    const { scopes, sessions, sessionOf, position, roles, at } = this.#table
    const [text, timeZone, metadata] = written.startsWith(MORE)
      ? (JSON.parse(written.slice(MORE.length)) as TextAndMore)
      : ([written, null, null] as const)
    return {
      id,
      scope: scopes[row] ?? 0,
      session: sessions[sessionOf[row] ?? -1]?.session ?? '',
      position: position[row] ?? 0,
      role: ROLES_BY_CODE[roles[row] ?? 0] ?? 'other',
      speaker: this.#table.speakerOf(row),
      text,
      at: at[row] ?? 0,
      timeZone,
      metadata,
    }
  }
}
