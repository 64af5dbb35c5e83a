import { grown, sectionOf, type ImageSections } from './image-sections.ts'

const NO_ENTRY = 0
const REMOVED = -1
const ABSENT = 0xffffffff
/** Of what an image kept, not counted before it is asked for: a recall never does. */
const UNCOUNTED = -1
/** A slot is free for every two taken, so that a string is found at once or after one step. */
const FULL = 2 / 3

/**
 * Strings by number, and numbers by string, in a few arrays and nothing on the heap: a hundred thousand ids take a third of what a map
 * of them takes, and are read back from a file as they stand.
 */
export class StringTable {
  #text = Buffer.alloc(1_024)
  #end = 0
  #starts = new Uint32Array(64).fill(ABSENT)
  /** Twice the length in code units, and 1 where these take two bytes each. */
  #shapes = new Uint32Array(64)
  /** One more than the entry, {@link NO_ENTRY} or {@link REMOVED}. */
  #slots = new Int32Array(128)
  /** Slots that are not free. */
  #taken = 0
  #size = 0

  get size(): number {
    if (this.#size === UNCOUNTED) this.#size = this.#starts.length - timesIn(this.#starts, ABSENT)
    return this.#size
  }

  get #slotsTaken(): number {
    if (this.#taken === UNCOUNTED) this.#taken = this.#slots.length - timesIn(this.#slots, NO_ENTRY)
    return this.#taken
  }

  get bytes(): number {
    return this.#text.length + this.#starts.byteLength + this.#shapes.byteLength + this.#slots.byteLength
  }

  /** The number of a string; −1 where it has none. */
  find(text: string): number {
    const mask = this.#slots.length - 1
    for (let slot = hashOf(text) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot] ?? NO_ENTRY
      if (entry === NO_ENTRY) return -1
      if (entry !== REMOVED && this.#isAt(entry - 1, text)) return entry - 1
    }
  }

  get(entry: number): string | undefined {
    const start = this.#starts[entry] ?? ABSENT
    if (start === ABSENT) return undefined
    const shape = this.#shapes[entry] ?? 0
    return shape & 1
      ? this.#text.toString('utf16le', start, start + shape - 1)
      : this.#text.toString('latin1', start, start + (shape >>> 1))
  }

  /** Gives a string, which has none yet, a number that is free. Numbers should be dense. */
  set(entry: number, text: string): void {
    if (entry >= this.#starts.length) this.#widen(entry + 1)
    const { size } = this
    if ((this.#slotsTaken + 1) / this.#slots.length > FULL) this.#rehash()
    const isWide = !isNarrow(text)
    const bytes = isWide ? text.length * 2 : text.length
    if (this.#end + bytes > this.#text.length) this.#lengthen(this.#end + bytes)
    this.#text.write(text, this.#end, isWide ? 'utf16le' : 'latin1')
    this.#starts[entry] = this.#end
    this.#shapes[entry] = (text.length << 1) | (isWide ? 1 : 0)
    this.#end += bytes
    this.#size = size + 1
    this.#place(entry, text)
  }

  /** Takes a string's number away and overwrites its bytes. */
  remove(entry: number): void {
    const text = this.get(entry)
    if (text === undefined) return
    const mask = this.#slots.length - 1
    let slot = hashOf(text) & mask
    while (this.#slots[slot] !== entry + 1) slot = (slot + 1) & mask
    this.#slots[slot] = REMOVED
    const start = this.#starts[entry] ?? 0
    const isWide = ((this.#shapes[entry] ?? 0) & 1) === 1
    this.#text.fill(0, start, start + (isWide ? 2 : 1) * text.length)
    const { size } = this
    this.#starts[entry] = ABSENT
    this.#size = size - 1
  }

  /** Of the strings from `from` on: the code unit at a place, without making a string of it. NaN beyond its end. */
  unitAt(entry: number, place: number): number {
    const shape = this.#shapes[entry] ?? 0
    const start = this.#starts[entry] ?? 0
    if (place >= shape >>> 1) return NaN
    return shape & 1 ? this.#text.readUInt16LE(start + 2 * place) : (this.#text[start + place] ?? NaN)
  }

  lengthOf(entry: number): number {
    return (this.#shapes[entry] ?? 0) >>> 1
  }

  /** What an image keeps of this, under a name. */
  sections(name: string, entries: number): ImageSections {
    return {
      [`${name}.text`]: this.#text.subarray(0, this.#end),
      [`${name}.starts`]: this.#starts.subarray(0, entries),
      [`${name}.shapes`]: this.#shapes.subarray(0, entries),
      [`${name}.slots`]: this.#slots,
    }
  }

  /** Takes in what an image kept. */
  restore(name: string, sections: ImageSections): void {
    const text = sectionOf(sections, `${name}.text`, Uint8Array)
    this.#text = Buffer.from(text.buffer, text.byteOffset, text.length)
    this.#end = text.length
    this.#starts = sectionOf(sections, `${name}.starts`, Uint32Array)
    this.#shapes = sectionOf(sections, `${name}.shapes`, Uint32Array)
    this.#slots = sectionOf(sections, `${name}.slots`, Int32Array)
    this.#size = UNCOUNTED
    this.#taken = UNCOUNTED
  }

  #isAt(entry: number, text: string): boolean {
    const shape = this.#shapes[entry] ?? 0
    if (shape >>> 1 !== text.length) return false
    const start = this.#starts[entry] ?? 0
    if (shape & 1) return this.get(entry) === text
    for (let i = text.length - 1; i >= 0; i--) if (this.#text[start + i] !== text.charCodeAt(i)) return false
    return true
  }

  #place(entry: number, text: string): void {
    const mask = this.#slots.length - 1
    let slot = hashOf(text) & mask
    while ((this.#slots[slot] ?? NO_ENTRY) !== NO_ENTRY) slot = (slot + 1) & mask
    this.#slots[slot] = entry + 1
    this.#taken += 1
  }

  #widen(length: number): void {
    const known = this.#starts.length
    this.#starts = grown(this.#starts, length).fill(ABSENT, known)
    this.#shapes = grown(this.#shapes, length)
  }

  #lengthen(bytes: number): void {
    const longer = Buffer.alloc(Math.max(bytes, Math.ceil(this.#text.length * 1.25)))
    this.#text.copy(longer, 0, 0, this.#end)
    this.#text = longer
  }

  #rehash(): void {
    let length = 128
    while ((this.size + 1) / length > FULL / 2) length *= 2
    this.#slots = new Int32Array(length)
    this.#taken = 0
    for (const [entry, start] of this.#starts.entries())
      if (start !== ABSENT) this.#place(entry, this.get(entry) ?? '')
  }
}

function timesIn(numbers: Uint32Array | Int32Array, wanted: number): number {
  let times = 0
  for (let at = 0; at < numbers.length; at += 1) if (numbers[at] === wanted) times += 1
  return times
}

/** FNV-1a over code units, its high bits mixed in. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash ^ (hash >>> 15)
}

/** Whether each of its code units takes one byte. */
export function isNarrow(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return false
  return true
}
