import { relatedTerms } from '@keepsake/text'
import { cosineOf, supportOf } from './english-vectors.ts'
import { glossVectors } from './gloss-vectors.ts'
import type { ChineseWord } from './read-cedict.ts'
import { asTerms } from './relate-by-wordnet.ts'
import { relate, type Relations } from './write-related-table.ts'

/** Weights between two words with the same translation, with translations of the same terms, and with related translations. */
const SAME_GLOSS = 0.8
const SAME_TERMS = 0.7
const RELATED_GLOSS = 0.5
/** Maximum number of words that share a translation. A translation of more words relates none of them. */
const MAX_WORDS = { gloss: 60, terms: 40 } as const
/** Loss of weight for each doubling of the number of words that share a translation. */
const LOSS_PER_DOUBLING = 0.15
/** Related translations add nothing to a pair that already has more than this weight. */
const MAX_WEIGHT_TO_RAISE = 0.3
/** The factor for a relation whose vectors have nothing in common. */
const MIN_SUPPORT = 0.4

type WeightedWords = readonly (readonly [word: string, weight: number])[]

/** Relates Chinese words that share translations, or whose translations are related in the English thesaurus. */
export function relateByGlosses(words: readonly ChineseWord[]): Relations {
  const byGloss = groupBy(words, (gloss) => gloss)
  const byTerms = groupBy(words, asTerms)
  const relations: Relations = new Map()
  for (const group of byGloss.values())
    if (group.length <= MAX_WORDS.gloss) addPairs(relations, [group, group], SAME_GLOSS)
  for (const [terms, group] of byTerms) {
    if (terms === '' || group.length > MAX_WORDS.terms) continue
    addPairs(relations, [group, group], SAME_TERMS, 0)
    for (const other of relatedTerms(terms, 'en')) {
      const further = byTerms.get(other.terms.join(' ')) ?? []
      if (further.length <= MAX_WORDS.terms)
        addPairs(relations, [group, further], RELATED_GLOSS * other.weight, MAX_WEIGHT_TO_RAISE)
    }
  }
  return weakenByVectors(relations, words)
}

function groupBy(
  words: readonly ChineseWord[],
  keyOf: (gloss: string) => string,
): Map<string, [string, number][]> {
  const groups = new Map<string, [string, number][]>()
  for (const { word, glosses } of words) {
    for (const [gloss, weight] of glosses) {
      const key = keyOf(gloss)
      const group = groups.get(key) ?? []
      group.push([word, weight])
      groups.set(key, group)
    }
  }
  return groups
}

/**
 * Relates all words of `from` to all words of `to`. A pair that is related already gets a higher weight, unless it has more than
 * `maxWeight`.
 */
function addPairs(
  relations: Relations,
  [from, to]: readonly [WeightedWords, WeightedWords],
  strength: number,
  maxWeight = 1,
): void {
  const weight = strength / (1 + LOSS_PER_DOUBLING * Math.log2(Math.max(1, to.length)))
  for (const [word, share] of from) {
    const others = relations.get(word) ?? new Map<string, number>()
    for (const [other, otherShare] of to) {
      const before = others.get(other) ?? 0
      if (word === other || before > maxWeight) continue
      others.set(other, 1 - (1 - before) * (1 - weight * Math.sqrt(share * otherShare)))
    }
    relations.set(word, others)
  }
}

/** Lowers the weights of relations that the words' vectors do not support. */
function weakenByVectors(strong: Relations, words: readonly ChineseWord[]): Relations {
  const vectors = glossVectors(words)
  const relations: Relations = new Map()
  for (const [word, others] of strong) {
    const vector = vectors.get(word)
    for (const [other, weight] of others) {
      const near = vectors.get(other)
      const cosine = vector === undefined || near === undefined ? 0 : cosineOf(vector, near)
      relate(relations, word, other, weight * supportOf(cosine, MIN_SUPPORT))
    }
  }
  return relations
}
