import { findTerms } from '@keepsake/text'
import { cosineOf, directionOf, ENGLISH_WORDS } from './english-vectors.ts'
import { relate, type Relations } from './write-related-table.ts'

/** Among so many words, the most frequent. */
const WORDS = 12_000
/** From this cosine on two words are taken for related, as sure as it is above the second. */
const NEAR = 0.6
const NOT_NEAR = 0.4

/** Relates frequent English words whose vectors are near: “bike” and “helmet”, which no dictionary links. */
export function relateByNearness(relations: Relations): void {
  const words = ENGLISH_WORDS.slice(0, WORDS)
    .filter((word) => !/\p{N}/u.test(word) && findTerms(word).length === 1)
    .map((word) => ({ term: findTerms(word)[0] ?? '', direction: directionOf(word) }))
  for (const [at, { term, direction }] of words.entries()) {
    for (const other of words.slice(at + 1)) {
      const cosine = cosineOf(direction, other.direction)
      if (cosine < NEAR) continue
      relate(relations, term, other.term, cosine - NOT_NEAR)
      relate(relations, other.term, term, cosine - NOT_NEAR)
    }
  }
}
