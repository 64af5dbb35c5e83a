import { sectionOf, type ImageSections } from './image-sections.ts'
import { TextColumn } from './text-column.ts'

const NO_ENTRY = 0
const REMOVED = -1
/** Of what an image kept, not counted before it is asked for: a recall never does. */
const UNCOUNTED = -1
/** A slot is free for every two taken, so that a string is found at once or after one step. */
const FULL = 2 / 3

/** Strings by number, and numbers by string, in a few arrays: a hundred thousand ids take a third of what a map of them takes. */
export class StringTable {
  readonly #texts = new TextColumn()
  /** One more than the entry, {@link NO_ENTRY} or {@link REMOVED}. */
  #slots = new Int32Array(128)
  /** Slots that are not free. */
  #taken = 0
  #size = 0

  get size(): number {
    if (this.#size === UNCOUNTED) this.#size = this.#texts.count()
    return this.#size
  }

  get #slotsTaken(): number {
    if (this.#taken === UNCOUNTED) this.#taken = this.#slots.length - timesIn(this.#slots, NO_ENTRY)
    return this.#taken
  }

  get bytes(): number {
    return this.#texts.bytes + this.#slots.byteLength
  }

  /** The number of a string; −1 where it has none. */
  find(text: string): number {
    const mask = this.#slots.length - 1
    for (let slot = hashOf(text) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot] ?? NO_ENTRY
      if (entry === NO_ENTRY) return -1
      if (entry !== REMOVED && this.#texts.isAt(entry - 1, text)) return entry - 1
    }
  }

  get(entry: number): string | undefined {
    return this.#texts.get(entry)
  }

  /** Gives a string, which has none yet, a number that is free. Numbers should be dense. */
  set(entry: number, text: string): void {
    const { size } = this
    if ((this.#slotsTaken + 1) / this.#slots.length > FULL) this.#rehash()
    this.#texts.set(entry, text)
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
    const { size } = this
    this.#texts.remove(entry)
    this.#size = size - 1
  }

  /** The code unit of a string at a place, without making one of it. NaN beyond its end. */
  unitAt(entry: number, place: number): number {
    return this.#texts.unitAt(entry, place)
  }

  lengthOf(entry: number): number {
    return this.#texts.lengthOf(entry)
  }

  /** What an image keeps of this, under a name. */
  sections(name: string, entries: number): ImageSections {
    return { ...this.#texts.sections(name, entries), [`${name}.slots`]: this.#slots }
  }

  /** Takes in what an image kept. */
  restore(name: string, sections: ImageSections): void {
    this.#texts.restore(name, sections)
    this.#slots = sectionOf(sections, `${name}.slots`, Int32Array)
    this.#size = UNCOUNTED
    this.#taken = UNCOUNTED
  }

  #place(entry: number, text: string): void {
    const mask = this.#slots.length - 1
    let slot = hashOf(text) & mask
    while ((this.#slots[slot] ?? NO_ENTRY) !== NO_ENTRY) slot = (slot + 1) & mask
    this.#slots[slot] = entry + 1
    this.#taken += 1
  }

  #rehash(): void {
    let length = 128
    while ((this.size + 1) / length > FULL / 2) length *= 2
    this.#slots = new Int32Array(length)
    this.#taken = 0
    for (const entry of this.#texts.places()) this.#place(entry, this.get(entry) ?? '')
  }
}

function timesIn(numbers: Int32Array, wanted: number): number {
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
