import { embeddedWordVectors } from '../vectors/word-vectors.ts'
import { readTraits } from '../terms/text-traits.ts'
import { countCues, type CueCounts } from './count-cues.ts'
import { weighWords, type WeighedWords } from './weigh-words.ts'

/** A group of words between commas, full stops and dashes. */
export interface Clause {
  readonly terms: WeighedWords
  readonly cues: CueCounts
}

export interface TurnWords {
  readonly terms: WeighedWords
  readonly clauses: readonly Clause[]
  readonly cues: CueCounts
  readonly vector: Float32Array
  /** Bits of `TextTrait`. */
  readonly traits: number
  /** In characters. */
  readonly length: number
}

/** A known statement, as the classifier reads it. */
export type KnownWords = Pick<TurnWords, 'terms' | 'vector'>

const BETWEEN_CLAUSES = /[.!?;:,…。！？；：，、]+|\s[-–—]+\s|——/u
const HAS_WORDS = /[\p{L}\p{N}]/u
const vectors = embeddedWordVectors()

export function readSaid(text: string): TurnWords {
  const clauses = text.split(BETWEEN_CLAUSES).filter((clause) => HAS_WORDS.test(clause))
  return {
    ...readKnown(text),
    clauses: clauses.map((clause) => ({ terms: weighWords(clause), cues: countCues(clause) })),
    cues: countCues(text),
    traits: readTraits(text),
    length: text.length,
  }
}

/** @param terms its weighed words, computed when absent */
export function readKnown(text: string, terms: WeighedWords = weighWords(text)): KnownWords {
  return { terms, vector: vectors.embedNow(text) }
}
