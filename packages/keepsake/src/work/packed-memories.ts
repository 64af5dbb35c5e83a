import { grown, sectionOf, type ImageSections } from '../retrieval/image-sections.ts'
import type { PackedMemory } from './pack-memory.ts'

const FIRST_CAPACITY = 64
const LEAST_TEXT = 1_024
/** Stands for the number of turns where they are in the text. */
const TURNS_IN_TEXT = 0xffffffff

/** Packed memories by row, one after another in two arrays: their JSON, and the rows of the turns they rest on. */
export class PackedMemories {
  /** Where each one's JSON and turns stand; a length of 0 where it is not packed. */
  #textStarts: Uint32Array = new Uint32Array(FIRST_CAPACITY)
  #textLengths: Uint32Array = new Uint32Array(FIRST_CAPACITY)
  #turnStarts: Uint32Array = new Uint32Array(FIRST_CAPACITY)
  #turnCounts: Uint32Array = new Uint32Array(FIRST_CAPACITY)
  #texts = Buffer.alloc(0)
  #textEnd = 0
  /** Bytes of the texts that nothing stands for any more. */
  #wasted = 0
  #turns: Int32Array = new Int32Array(0)
  #turnEnd = 0

  get bytes(): number {
    return this.#textStarts.byteLength * 4 + this.#texts.length + this.#turns.byteLength
  }

  has(row: number): boolean {
    return (this.#textLengths[row] ?? 0) > 0
  }

  /** Whether it is packed, and {@link turnsAt} tells its turns. */
  tellsTurns(row: number): boolean {
    return this.has(row) && this.#turnCounts[row] !== TURNS_IN_TEXT
  }

  turnsAt(row: number): Int32Array {
    const start = this.#turnStarts[row] ?? 0
    return this.#turns.subarray(start, start + (this.#turnCounts[row] ?? 0))
  }

  textAt(row: number): string {
    const start = this.#textStarts[row] ?? 0
    return this.#texts.toString('utf8', start, start + (this.#textLengths[row] ?? 0))
  }

  /** Takes note that a memory is another now than was packed. */
  drop(row: number): void {
    this.#wasted += this.#textLengths[row] ?? 0
    if (row < this.#textLengths.length) this.#textLengths[row] = 0
  }

  put(row: number, { text, turns }: PackedMemory): void {
    if (row >= this.#textStarts.length) this.#grow(row + 1)
    this.drop(row)
    const bytes = Buffer.byteLength(text)
    if (this.#textEnd + bytes > this.#texts.length) this.#makeRoom(bytes)
    this.#texts.write(text, this.#textEnd)
    this.#textStarts[row] = this.#textEnd
    this.#textLengths[row] = bytes
    this.#textEnd += bytes
    this.#turnStarts[row] = this.#turnEnd
    this.#turnCounts[row] = turns === null ? TURNS_IN_TEXT : turns.length
    if (turns === null) return
    if (this.#turnEnd + turns.length > this.#turns.length)
      this.#turns = grown(this.#turns, this.#turnEnd + turns.length)
    this.#turns.set(turns, this.#turnEnd)
    this.#turnEnd += turns.length
  }

  /** What an image keeps of this, with nothing wasted. */
  sections(length: number): ImageSections {
    if (length > this.#textStarts.length) this.#grow(length)
    if (this.#wasted > 0) this.#closeUp()
    return {
      'memories.textStarts': this.#textStarts.subarray(0, length),
      'memories.textLengths': this.#textLengths.subarray(0, length),
      'memories.turnStarts': this.#turnStarts.subarray(0, length),
      'memories.turnCounts': this.#turnCounts.subarray(0, length),
      'memories.texts': this.#texts.subarray(0, this.#textEnd),
      'memories.turns': this.#turns.subarray(0, this.#turnEnd),
    }
  }

  /** Takes in what an image kept. @throws Error where a memory is not in it */
  restore(sections: ImageSections): void {
    this.#textStarts = sectionOf(sections, 'memories.textStarts', Uint32Array)
    this.#textLengths = sectionOf(sections, 'memories.textLengths', Uint32Array)
    if (this.#textLengths.includes(0)) throw new Error('an image lacks the text of a memory')
    this.#turnStarts = sectionOf(sections, 'memories.turnStarts', Uint32Array)
    this.#turnCounts = sectionOf(sections, 'memories.turnCounts', Uint32Array)
    const texts = sectionOf(sections, 'memories.texts', Uint8Array)
    this.#texts = Buffer.from(texts.buffer, texts.byteOffset, texts.length)
    this.#textEnd = texts.length
    this.#turns = sectionOf(sections, 'memories.turns', Int32Array)
    this.#turnEnd = this.#turns.length
  }

  /** Of what is packed again and again half is wasted at most. */
  #makeRoom(bytes: number): void {
    if (this.#wasted > this.#textEnd / 2) this.#closeUp()
    if (this.#textEnd + bytes <= this.#texts.length) return
    const length = Math.max(LEAST_TEXT, this.#textEnd + bytes, Math.ceil(this.#texts.length * 1.25))
    const longer = Buffer.alloc(length)
    this.#texts.copy(longer, 0, 0, this.#textEnd)
    this.#texts = longer
  }

  /** Copies texts and turns together, so that nothing is kept of what was packed before. */
  #closeUp(): void {
    const texts = Buffer.alloc(this.#textEnd - this.#wasted)
    const turns: number[] = []
    let end = 0
    for (let row = 0; row < this.#textLengths.length; row++) {
      if (!this.has(row)) continue
      const start = this.#textStarts[row] ?? 0
      this.#textStarts[row] = end
      end += this.#texts.copy(texts, end, start, start + (this.#textLengths[row] ?? 0))
      if (!this.tellsTurns(row)) continue
      const own = this.turnsAt(row)
      this.#turnStarts[row] = turns.length
      for (const turn of own) turns.push(turn)
    }
    this.#texts = texts
    this.#textEnd = end
    this.#wasted = 0
    this.#turns = Int32Array.from(turns)
    this.#turnEnd = turns.length
  }

  #grow(length: number): void {
    this.#textStarts = grown(this.#textStarts, length)
    this.#textLengths = grown(this.#textLengths, length)
    this.#turnStarts = grown(this.#turnStarts, length)
    this.#turnCounts = grown(this.#turnCounts, length)
  }
}
