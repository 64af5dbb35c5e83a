import { TextColumn } from '../retrieval/text-column.ts'

/** What a map takes for each number, roughly. */
const MAP_BYTES = 24

/** Texts by any numbers, in one column. */
export class PackedTexts {
  /** Where in the column each number's text is. */
  readonly #places = new Map<number, number>()
  readonly #texts = new TextColumn()

  get size(): number {
    return this.#places.size
  }

  get bytes(): number {
    return this.#texts.bytes + this.#places.size * MAP_BYTES
  }

  get(number: number): string | undefined {
    const place = this.#places.get(number)
    return place === undefined ? undefined : this.#texts.get(place)
  }

  has(number: number): boolean {
    return this.#places.has(number)
  }

  /** Keeps a text, in the place of what the number stood for before. */
  put(number: number, text: string): void {
    const place = this.#places.get(number) ?? this.#places.size
    if (this.#texts.isAt(place, text)) return
    this.#texts.set(place, text)
    this.#places.set(number, place)
  }
}
