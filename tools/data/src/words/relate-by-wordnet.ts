import { findTerms } from '@keepsake/text'
import { cosineOf, directionOf, frequencyRank, supportOf } from './english-vectors.ts'
import type { Sense, WordNet } from './read-wordnet.ts'
import { relate, type Relations } from './write-related-table.ts'

/** Only this many words, the most frequent, are related. Rarer ones hardly occur in talk. */
const FREQUENT_WORDS = 40_000
/** Minimum probability of a meaning of a word. Questions do not use rarer meanings. */
const MIN_MEANING_SHARE = 0.04
/** Weights of links by WordNet's symbols: similar adjectives, groups of verbs, see also, cause, entailment, attribute. */
const LINKS: Readonly<Record<string, number>> = { '&': 0.6, $: 0.8, '^': 0.5, '>': 0.5, '*': 0.5, '=': 0.5 }
/** Weights of a hypernym (“dog” for “poodle”), and of the hypernym of that one. */
const HYPERNYM = 0.5
const SECOND_HYPERNYM = 0.3
/** The weight of a hyponym (“poodle” for “dog”), the factor for each level below it, and the maximum number of levels. */
const HYPONYM = 0.8
const FACTOR_PER_LEVEL = 0.85
const MAX_LEVELS = 4
/** The weight of a word derived from the same stem: “nursing” for “nurse”. */
const DERIVED = 0.9
const DERIVATIONS = new Set(['+', '\\'])
/** The factor for a link whose vectors have nothing in common. */
const MIN_SUPPORT = 0.5

interface LikelySense extends Sense {
  /** The probability that the word has this meaning. */
  readonly share: number
}

/** Relates words through the links of their meanings. A relation has less weight if the words have many meanings. */
export function relateByWordNet(wordnet: WordNet, relations: Relations, minWeight: number): void {
  const senses = new Map<string, LikelySense[]>()
  for (const [word, list] of wordnet.senses) if (isFrequent(word, list)) senses.set(word, likelySenses(list))
  for (const [word, list] of senses) {
    for (const sense of list) {
      if (sense.share < MIN_MEANING_SHARE) continue
      for (const [id, strength] of reach(wordnet, sense.synset)) {
        for (const other of wordnet.synsets.get(id)?.words ?? []) {
          const share = senses.get(other)?.find(({ synset }) => synset === id)?.share ?? 0
          addLink(relations, [word, other], strength * Math.sqrt(sense.share * share), minWeight)
        }
      }
      for (const other of derivedFrom(wordnet, sense.synset, word))
        if (senses.has(other)) {
          addLink(relations, [word, other], DERIVED * Math.sqrt(sense.share), minWeight)
          addLink(relations, [other, word], DERIVED * Math.sqrt(sense.share), minWeight)
        }
    }
  }
}

function addLink(
  relations: Relations,
  [word, other]: readonly [string, string],
  strength: number,
  minWeight: number,
) {
  if (word === other || strength < minWeight) return
  const weight = strength * supportOf(cosineOf(directionOf(word), directionOf(other)), MIN_SUPPORT)
  if (weight >= minWeight) relate(relations, asTerms(word), asTerms(other), weight)
}

/** Returns the key of an expression in the table: its distinct terms with spaces between them. */
export function asTerms(expression: string): string {
  return [...new Set(findTerms(expression))].join(' ')
}

/** Reports whether a word is frequent. An expression must have at most three known words, and occur in WordNet's tagged texts. */
function isFrequent(word: string, senses: readonly Sense[]): boolean {
  const parts = word.split(' ')
  if (parts.length === 1) return frequencyRank(word) < FREQUENT_WORDS
  const isKnown = parts.length <= 3 && parts.every((part) => Number.isFinite(frequencyRank(part)))
  return isKnown && senses.some(({ tagged }) => tagged > 0)
}

function likelySenses(senses: readonly Sense[]): LikelySense[] {
  const weights = senses.map(({ tagged, rank }) => tagged + 0.5 / rank)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  return senses.map((sense, at) => ({ ...sense, share: (weights[at] ?? 0) / whole }))
}

/** Returns the synsets that links reach from a synset, with their weights. */
function reach({ synsets }: WordNet, from: string): Map<string, number> {
  const found = new Map([[from, 1]])
  const add = (id: string, strength: number) => {
    if (strength > (found.get(id) ?? 0)) found.set(id, strength)
  }
  const addHyponyms = (id: string, strength: number, levels: number) => {
    for (const { kind, target } of levels === 0 ? [] : (synsets.get(id)?.links ?? [])) {
      if (kind !== '~' || strength <= (found.get(target) ?? 0)) continue
      add(target, strength)
      addHyponyms(target, strength * FACTOR_PER_LEVEL, levels - 1)
    }
  }
  addHyponyms(from, HYPONYM, MAX_LEVELS)
  for (const { kind, target } of synsets.get(from)?.links ?? []) {
    add(target, kind === '@' ? HYPERNYM : (LINKS[kind] ?? 0))
    if (kind !== '@') continue
    for (const next of synsets.get(target)?.links ?? [])
      if (next.kind === '@') add(next.target, SECOND_HYPERNYM)
  }
  return found
}

function derivedFrom({ synsets }: WordNet, id: string, word: string): string[] {
  const synset = synsets.get(id)
  const at = (synset?.words.indexOf(word) ?? -1) + 1
  const links = synset?.links.filter(({ kind, from }) => DERIVATIONS.has(kind) && from === at) ?? []
  return links.flatMap(({ target, to }) => synsets.get(target)?.words[to - 1] ?? [])
}
