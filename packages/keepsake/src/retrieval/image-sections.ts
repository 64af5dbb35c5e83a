/** An array of numbers, of the kinds an image keeps. */
export type Numbers = Uint8Array | Int8Array | Uint32Array | Int32Array | Float64Array

/** What an image keeps as it stands in memory, by name. */
export type ImageSections = Readonly<Record<string, Numbers>>

/** How each kind is written down. */
export const KINDS = {
  u1: Uint8Array,
  i1: Int8Array,
  u4: Uint32Array,
  i4: Int32Array,
  f8: Float64Array,
} as const
export type KindOfNumbers = keyof typeof KINDS

export function kindOf(numbers: Numbers): KindOfNumbers {
  // A Buffer is a Uint8Array as well.
  const found = (Object.keys(KINDS) as KindOfNumbers[]).find((kind) => numbers instanceof KINDS[kind])
  if (found === undefined) throw new Error('an image keeps no such array')
  return found
}

/** A section of an image. @throws Error where it is missing or of another kind: the image is none of ours. */
export function sectionOf<Kind extends Numbers>(
  sections: ImageSections,
  name: string,
  kind: new (length: number) => Kind,
): Kind {
  const found = sections[name]
  if (found instanceof kind) return found
  throw new Error(`the image has no section ${name} of that kind`)
}

/** A fifth of a large array stands empty at most. */
const GROWTH = 1.25

/** A longer array with what this one holds; of memory of its own. */
export function grown<Kind extends Numbers>(from: Kind, length: number): Kind {
  const longer = new (from.constructor as new (length: number) => Kind)(
    Math.max(64, length, Math.ceil(from.length * GROWTH)),
  )
  longer.set(from)
  return longer
}
