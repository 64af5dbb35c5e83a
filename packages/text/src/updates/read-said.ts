import { embeddedWordVectors } from '../vectors/word-vectors.ts'
import { readTraits } from '../terms/text-traits.ts'
import { countCues, type CueCounts } from './count-cues.ts'
import { weighWords, type WeighedWords } from './weigh-words.ts'

/** Words that belong together: between commas, stops and dashes. */
export interface Clause {
  readonly terms: WeighedWords
  readonly cues: CueCounts
}

/** What somebody says, as the updater reads it. */
export interface Said {
  readonly terms: WeighedWords
  readonly clauses: readonly Clause[]
  readonly cues: CueCounts
  readonly vector: Float32Array
  /** Bits of `TextTrait`. */
  readonly traits: number
  /** In characters. */
  readonly length: number
}

/** A known statement, as the updater reads it. */
export type Known = Pick<Said, 'terms' | 'vector'>

const BETWEEN_CLAUSES = /[.!?;:,…。！？；：，、]+|\s[-–—]+\s|——/u
const HAS_WORDS = /[\p{L}\p{N}]/u
const vectors = embeddedWordVectors()

export function readSaid(text: string): Said {
  const clauses = text.split(BETWEEN_CLAUSES).filter((clause) => HAS_WORDS.test(clause))
  return {
    ...readKnown(text),
    clauses: clauses.map((clause) => ({ terms: weighWords(clause), cues: countCues(clause) })),
    cues: countCues(text),
    traits: readTraits(text),
    length: text.length,
  }
}

/** @param terms its words, where they were weighed before */
export function readKnown(text: string, terms: WeighedWords = weighWords(text)): Known {
  return { terms, vector: vectors.embedNow(text) }
}
