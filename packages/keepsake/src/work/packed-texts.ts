import { grown } from '../retrieval/image-sections.ts'
import { isNarrow } from '../retrieval/string-table.ts'

const FIRST_BYTES = 1_024

/** Texts by number, one after another in one array: nothing of them is on the heap, however many there are. Written once each. */
export class PackedTexts {
  /** Where in the arrays below each number's text is. */
  readonly #places = new Map<number, number>()
  #bytes = Buffer.alloc(0)
  #end = 0
  #starts = new Uint32Array(64)
  /** Twice the length in code units, and 1 where these take two bytes each. */
  #shapes = new Uint32Array(64)

  get size(): number {
    return this.#places.size
  }

  get bytes(): number {
    return this.#bytes.length + this.#starts.byteLength + this.#shapes.byteLength + this.#places.size * 24
  }

  get(number: number): string | undefined {
    const place = this.#places.get(number)
    if (place === undefined) return undefined
    const start = this.#starts[place] ?? 0
    const shape = this.#shapes[place] ?? 0
    return shape & 1
      ? this.#bytes.toString('utf16le', start, start + shape - 1)
      : this.#bytes.toString('latin1', start, start + (shape >>> 1))
  }

  has(number: number): boolean {
    return this.#places.has(number)
  }

  /** Keeps a text, in the place of what the number stood for before. */
  put(number: number, text: string): void {
    const place = this.#places.size
    const known = this.#places.get(number)
    if (known !== undefined && this.get(number) === text) return
    const isWide = !isNarrow(text)
    const bytes = isWide ? text.length * 2 : text.length
    if (this.#end + bytes > this.#bytes.length) this.#lengthen(this.#end + bytes)
    if (place >= this.#starts.length) {
      this.#starts = grown(this.#starts, place + 1)
      this.#shapes = grown(this.#shapes, place + 1)
    }
    this.#bytes.write(text, this.#end, isWide ? 'utf16le' : 'latin1')
    this.#starts[known ?? place] = this.#end
    this.#shapes[known ?? place] = (text.length << 1) | (isWide ? 1 : 0)
    this.#end += bytes
    this.#places.set(number, known ?? place)
  }

  #lengthen(bytes: number): void {
    const longer = Buffer.alloc(Math.max(FIRST_BYTES, bytes, Math.ceil(this.#bytes.length * 1.5)))
    this.#bytes.copy(longer, 0, 0, this.#end)
    this.#bytes = longer
  }
}
