import { relatedTerms } from '@keepsake/text'
import { borneOut, cosineOf } from './english-vectors.ts'
import { glossVectors } from './gloss-vectors.ts'
import type { ChineseWord } from './read-cedict.ts'
import { asTerms } from './relate-by-wordnet.ts'
import { relate, type Relations } from './write-related-table.ts'

/** How sure it is that two words with the same translation mean the same; by its terms alone; by a related English word. */
const SAME_GLOSS = 0.8
const SAME_TERMS = 0.7
const RELATED_GLOSS = 0.5
/** A translation of more words than this tells none from another. */
const MOST_WORDS = { gloss: 60, terms: 40 } as const
/** The more words share a translation, the less it says. */
const BY_NUMBER = 0.15
/** Already this sure, nothing is added by way of related English words. */
const SURE = 0.3
/** What a link counts for when the vectors see nothing in common. */
const NOT_BORNE_OUT = 0.4

type Words = readonly (readonly [word: string, weight: number])[]

/** Relates Chinese words that share translations, or whose translations are related in the English thesaurus. */
export function relateByGlosses(words: readonly ChineseWord[]): Relations {
  const byGloss = groupBy(words, (gloss) => gloss)
  const byTerms = groupBy(words, asTerms)
  const sure: Relations = new Map()
  for (const group of byGloss.values())
    if (group.length <= MOST_WORDS.gloss) addPairs(sure, [group, group], SAME_GLOSS)
  for (const [terms, group] of byTerms) {
    if (terms === '' || group.length > MOST_WORDS.terms) continue
    addPairs(sure, [group, group], SAME_TERMS, 0)
    for (const other of relatedTerms(terms, 'en')) {
      const further = byTerms.get(other.terms.join(' ')) ?? []
      if (further.length <= MOST_WORDS.terms)
        addPairs(sure, [group, further], RELATED_GLOSS * other.weight, SURE)
    }
  }
  return borneOutByVectors(sure, words)
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

/** Each way to a word makes it surer; none is added to a pair that is known to be surer than `known`. */
function addPairs(sure: Relations, [from, to]: readonly [Words, Words], strength: number, known = 1): void {
  const weight = strength / (1 + BY_NUMBER * Math.log2(Math.max(1, to.length)))
  for (const [word, share] of from) {
    const others = sure.get(word) ?? new Map<string, number>()
    for (const [other, otherShare] of to) {
      const before = others.get(other) ?? 0
      if (word === other || before > known) continue
      others.set(other, 1 - (1 - before) * (1 - weight * Math.sqrt(share * otherShare)))
    }
    sure.set(word, others)
  }
}

function borneOutByVectors(sure: Relations, words: readonly ChineseWord[]): Relations {
  const vectors = glossVectors(words)
  const relations: Relations = new Map()
  for (const [word, others] of sure) {
    const vector = vectors.get(word)
    for (const [other, weight] of others) {
      const near = vectors.get(other)
      const cosine = vector === undefined || near === undefined ? 0 : cosineOf(vector, near)
      relate(relations, word, other, weight * borneOut(cosine, NOT_BORNE_OUT))
    }
  }
  return relations
}
