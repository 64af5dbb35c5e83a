import { endianness } from 'node:os'
import {
  KINDS,
  kindOf,
  type ImageSections,
  type KindOfNumbers,
  type Numbers,
} from '../retrieval/image-sections.ts'
import type { OwnerCacheKept } from './owner-cache-kept.ts'

/** Raised whenever what is written, or what it is made from, changes its meaning: an image of another format is not read. */
const FORMAT = 3
/** So much at a time is read and written, so that nothing waits long for it. */
const PART_BYTES = 1 << 20
const ALIGNED = 8

/** What stands ahead of the arrays. */
interface Head {
  readonly format: string
  readonly sections: readonly (readonly [name: string, kind: KindOfNumbers, length: number])[]
  readonly kept: OwnerCacheKept
}

/** What an image was made by: one made by anything else is not read. */
export function formatOf(made: readonly unknown[]): string {
  return JSON.stringify([FORMAT, endianness(), ...made])
}

/** The bytes of an image, in the order in which they are written; arrays as they stand, not copied. */
export function layOut(format: string, sections: ImageSections, kept: OwnerCacheKept): Uint8Array[] {
  const entries = Object.entries(sections)
  const head: Head = {
    format,
    sections: entries.map(([name, numbers]) => [name, kindOf(numbers), numbers.length]),
    kept,
  }
  const text = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(ALIGNED)
  length.writeUInt32LE(text.length)
  return [
    length,
    text,
    ...entries.map(
      ([, { buffer, byteOffset, byteLength }]) => new Uint8Array(buffer, byteOffset, byteLength),
    ),
  ]
}

/** So many parts do these bytes make. */
export function countParts(pieces: readonly Uint8Array[]): number {
  return Math.max(1, Math.ceil(pieces.reduce((sum, { length }) => sum + length, 0) / PART_BYTES))
}

/** A place for one part. */
export function placeForPart(): Uint8Array {
  return new Uint8Array(PART_BYTES)
}

/** The bytes in parts, one after another in the same place: each is good until the next is asked for. */
export function* cutIntoParts(pieces: readonly Uint8Array[], place: Uint8Array): Generator<Uint8Array> {
  let filled = 0
  for (const piece of pieces) {
    for (let from = 0; from < piece.length;) {
      const some = piece.subarray(from, from + place.length - filled)
      place.set(some, filled)
      filled += some.length
      from += some.length
      if (filled < place.length) continue
      yield place
      filled = 0
    }
  }
  if (filled > 0) yield place.subarray(0, filled)
}

/** Reads an image as its parts come, each into the array that it is of. */
export class ImageReading {
  readonly #format: string
  #ahead: Uint8Array = new Uint8Array(0)
  #head: Head | null = null
  readonly #sections: Record<string, Numbers> = {}
  readonly #wanted: Uint8Array[] = []
  #filled = 0

  constructor(format: string) {
    this.#format = format
  }

  /** Takes in the next part. @returns `false` where the image is of another format */
  push(bytes: Uint8Array): boolean {
    let rest = bytes
    if (this.#head === null) {
      rest = this.#ahead.length === 0 ? bytes : Buffer.concat([this.#ahead, bytes])
      this.#ahead = rest
      const length =
        rest.length < ALIGNED ? Infinity : new DataView(rest.buffer, rest.byteOffset).getUint32(0, true)
      if (rest.length < ALIGNED + length) return true
      const head = JSON.parse(Buffer.from(rest.buffer, rest.byteOffset + ALIGNED, length).toString()) as Head
      if (head.format !== this.#format) return false
      this.#begin(head)
      rest = rest.subarray(ALIGNED + length)
      this.#ahead = new Uint8Array(0)
    }
    this.#fill(rest)
    return true
  }

  /** What was read; `null` where some of it is missing. */
  get result(): { readonly sections: ImageSections; readonly kept: OwnerCacheKept } | null {
    return this.#head === null || this.#wanted.length > 0
      ? null
      : { sections: this.#sections, kept: this.#head.kept }
  }

  #begin(head: Head): void {
    this.#head = head
    for (const [name, kind, length] of head.sections) {
      const numbers = new KINDS[kind](length)
      this.#sections[name] = numbers
      if (length > 0) this.#wanted.push(new Uint8Array(numbers.buffer))
    }
  }

  #fill(bytes: Uint8Array): void {
    let from = 0
    for (
      let [section] = this.#wanted;
      section !== undefined && from < bytes.length;
      [section] = this.#wanted
    ) {
      const some = bytes.subarray(from, from + section.length - this.#filled)
      section.set(some, this.#filled)
      this.#filled += some.length
      from += some.length
      if (this.#filled < section.length) return
      this.#wanted.shift()
      this.#filled = 0
    }
  }
}
