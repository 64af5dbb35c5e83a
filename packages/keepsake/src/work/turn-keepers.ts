import type { Memory } from '../memories/memory.ts'
import { grown, sectionOf, type ImageSections } from '../retrieval/image-sections.ts'

/** The live utterance that keeps each turn, by rows. */
export class TurnKeepers {
  readonly #rowOf: (turn: string) => number | undefined
  /** By the turn's row: one more than the utterance's; 0 where none keeps it. */
  #keepers: Int32Array = new Int32Array(64)
  /** Of turns that are not in the index yet. */
  readonly #waiting = new Map<string, number>()

  constructor(rowOf: (turn: string) => number | undefined) {
    this.#rowOf = rowOf
  }

  get bytes(): number {
    return this.#keepers.byteLength
  }

  get waiting(): (readonly [string, number])[] {
    return [...this.#waiting]
  }

  of(turn: string): number | undefined {
    const at = this.#rowOf(turn)
    return at === undefined ? this.#waiting.get(turn) : this.at(at)
  }

  /** The same of a turn by its row in the index. */
  at(row: number): number | undefined {
    const keeper = this.#keepers[row] ?? 0
    return keeper === 0 ? undefined : keeper - 1
  }

  set(turn: string, memory: number): void {
    const at = this.#rowOf(turn)
    if (at === undefined) this.#waiting.set(turn, memory)
    else this.#write(at, memory + 1)
  }

  delete(turn: string): void {
    const at = this.#rowOf(turn)
    if (at === undefined) this.#waiting.delete(turn)
    else this.#write(at, 0)
  }

  /** Takes in an utterance, by its row, in the place of what it was. @returns the turns that it rests on, or did */
  take(before: Memory | undefined, { status, evidence }: Memory, row: number): string[] {
    const rested = (before?.evidence ?? []).map(({ turn }) => turn)
    const rests = evidence.map(({ turn }) => turn)
    for (const turn of rested) this.#letGo(turn, row)
    for (const turn of rests) {
      if (status === 'live') this.set(turn, row)
      else this.#letGo(turn, row)
    }
    return [...rested, ...rests]
  }

  /** Takes note that a turn is in the index now. */
  arrive(turn: string): void {
    const memory = this.#waiting.get(turn)
    if (memory === undefined) return
    this.#waiting.delete(turn)
    this.set(turn, memory)
  }

  sections(rows: number): ImageSections {
    if (rows > this.#keepers.length) this.#keepers = grown(this.#keepers, rows)
    return { keepers: this.#keepers.subarray(0, rows) }
  }

  restore(sections: ImageSections, waiting: OwnedKeepers): void {
    this.#keepers = sectionOf(sections, 'keepers', Int32Array)
    for (const [turn, memory] of waiting) this.#waiting.set(turn, memory)
  }

  #letGo(turn: string, memory: number): void {
    if (this.of(turn) === memory) this.delete(turn)
  }

  #write(at: number, keeper: number): void {
    if (at >= this.#keepers.length) this.#keepers = grown(this.#keepers, at + 1)
    this.#keepers[at] = keeper
  }
}

type OwnedKeepers = Iterable<readonly [string, number]>
