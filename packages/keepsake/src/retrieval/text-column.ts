import { grown, sectionOf, type ImageSections } from './image-sections.ts'

const ABSENT = 0xffffffff
const FIRST_BYTES = 1_024

/**
 * Texts by place, one after another in one array and nothing of them on the heap: of a hundred thousand none has to be looked at by whoever
 * collects garbage, and they are read back from a file as they stand. One byte a code unit where that is enough, else two.
 */
export class TextColumn {
  #text = Buffer.alloc(0)
  #end = 0
  #starts = new Uint32Array(64).fill(ABSENT)
  /** Twice the length in code units, and 1 where these take two bytes each. */
  #shapes = new Uint32Array(64)

  get bytes(): number {
    return this.#text.length + this.#starts.byteLength + this.#shapes.byteLength
  }

  get(place: number): string | undefined {
    const start = this.#starts[place] ?? ABSENT
    if (start === ABSENT) return undefined
    const shape = this.#shapes[place] ?? 0
    return shape & 1
      ? this.#text.toString('utf16le', start, start + shape - 1)
      : this.#text.toString('latin1', start, start + (shape >>> 1))
  }

  /** Whether this text is at a place, without making a string of what is there. */
  isAt(place: number, text: string): boolean {
    const start = this.#starts[place] ?? ABSENT
    const shape = this.#shapes[place] ?? 0
    if (start === ABSENT || shape >>> 1 !== text.length) return false
    if (shape & 1) return this.get(place) === text
    for (let i = text.length - 1; i >= 0; i--) if (this.#text[start + i] !== text.charCodeAt(i)) return false
    return true
  }

  /** Writes a text. The bytes of what was at this place stay where they are, and are found by nobody. */
  set(place: number, text: string): void {
    if (place >= this.#starts.length) this.#widen(place + 1)
    const isWide = !isNarrow(text)
    const bytes = isWide ? text.length * 2 : text.length
    if (this.#end + bytes > this.#text.length) this.#lengthen(this.#end + bytes)
    this.#text.write(text, this.#end, isWide ? 'utf16le' : 'latin1')
    this.#starts[place] = this.#end
    this.#shapes[place] = (text.length << 1) | (isWide ? 1 : 0)
    this.#end += bytes
  }

  /** Takes a text away and overwrites its bytes. */
  remove(place: number): void {
    const start = this.#starts[place] ?? ABSENT
    if (start === ABSENT) return
    const shape = this.#shapes[place] ?? 0
    this.#text.fill(0, start, start + (shape & 1 ? shape - 1 : shape >>> 1))
    this.#starts[place] = ABSENT
  }

  /** The code unit of a text that is there, without making a string of it. NaN beyond its end. */
  unitAt(place: number, at: number): number {
    const shape = this.#shapes[place] ?? 0
    const start = this.#starts[place] ?? 0
    if (at >= shape >>> 1) return NaN
    return shape & 1 ? this.#text.readUInt16LE(start + 2 * at) : (this.#text[start + at] ?? NaN)
  }

  /** The code units of a text that is there. */
  lengthOf(place: number): number {
    return (this.#shapes[place] ?? 0) >>> 1
  }

  /** Places that have a text, in order. */
  *places(): Generator<number> {
    for (let place = 0; place < this.#starts.length; place += 1)
      if (this.#starts[place] !== ABSENT) yield place
  }

  /** How many texts there are, counted. */
  count(): number {
    let count = 0
    for (let place = 0; place < this.#starts.length; place += 1)
      if (this.#starts[place] !== ABSENT) count += 1
    return count
  }

  /** What an image keeps of this, under a name. */
  sections(name: string, places: number): ImageSections {
    return {
      [`${name}.text`]: this.#text.subarray(0, this.#end),
      [`${name}.starts`]: this.#starts.subarray(0, places),
      [`${name}.shapes`]: this.#shapes.subarray(0, places),
    }
  }

  /** Takes in what an image kept. */
  restore(name: string, sections: ImageSections): void {
    const text = sectionOf(sections, `${name}.text`, Uint8Array)
    this.#text = Buffer.from(text.buffer, text.byteOffset, text.length)
    this.#end = text.length
    this.#starts = sectionOf(sections, `${name}.starts`, Uint32Array)
    this.#shapes = sectionOf(sections, `${name}.shapes`, Uint32Array)
  }

  #widen(length: number): void {
    const known = this.#starts.length
    this.#starts = grown(this.#starts, length).fill(ABSENT, known)
    this.#shapes = grown(this.#shapes, length)
  }

  #lengthen(bytes: number): void {
    const longer = Buffer.alloc(Math.max(FIRST_BYTES, bytes, Math.ceil(this.#text.length * 1.25)))
    this.#text.copy(longer, 0, 0, this.#end)
    this.#text = longer
  }
}

/** Whether each of its code units takes one byte. */
function isNarrow(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return false
  return true
}
