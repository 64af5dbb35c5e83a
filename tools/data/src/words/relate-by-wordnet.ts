import { findTerms } from '@keepsake/text'
import { borneOut, cosineOf, directionOf, frequencyRank } from './english-vectors.ts'
import type { Sense, WordNet } from './read-wordnet.ts'
import { relate, type Relations } from './write-related-table.ts'

/** Words rarer than so many others are left out: no one says them in a talk. */
const FREQUENT_WORDS = 40_000
/** A meaning that a word has more seldom than this is none that a question means. */
const RAREST_MEANING = 0.04
/** How sure each kind of link is, by WordNet's symbols: similar adjectives, groups of verbs, see also, cause, entailment, attribute. */
const LINKS: Readonly<Record<string, number>> = { '&': 0.6, $: 0.8, '^': 0.5, '>': 0.5, '*': 0.5, '=': 0.5 }
/** What a word is a kind of, and what that is a kind of. */
const WIDER = 0.5
const WIDER_STILL = 0.3
/** A kind of it, and each step further down; so many steps. */
const NARROWER = 0.8
const NARROWER_STEP = 0.85
const NARROWER_STEPS = 4
/** Another word of the same stock: nurse, nursing. */
const DERIVED = 0.9
const DERIVATIONS = new Set(['+', '\\'])
/** What a link counts for when the vectors see nothing in common. */
const NOT_BORNE_OUT = 0.5

interface LikelySense extends Sense {
  /** How likely it is that the word means this. */
  readonly share: number
}

/** Relates words by what a meaning of each often is, through the links above; less surely for words of many meanings. */
export function relateByWordNet(wordnet: WordNet, relations: Relations, least: number): void {
  const senses = new Map<string, LikelySense[]>()
  for (const [word, list] of wordnet.senses) if (isFrequent(word, list)) senses.set(word, likelySenses(list))
  for (const [word, list] of senses) {
    for (const sense of list) {
      if (sense.share < RAREST_MEANING) continue
      for (const [id, strength] of reach(wordnet, sense.synset)) {
        for (const other of wordnet.synsets.get(id)?.words ?? []) {
          const share = senses.get(other)?.find(({ synset }) => synset === id)?.share ?? 0
          addLink(relations, [word, other], strength * Math.sqrt(sense.share * share), least)
        }
      }
      for (const other of derivedFrom(wordnet, sense.synset, word))
        if (senses.has(other)) {
          addLink(relations, [word, other], DERIVED * Math.sqrt(sense.share), least)
          addLink(relations, [other, word], DERIVED * Math.sqrt(sense.share), least)
        }
    }
  }
}

function addLink(
  relations: Relations,
  [word, other]: readonly [string, string],
  sure: number,
  least: number,
) {
  if (word === other || sure < least) return
  const weight = sure * borneOut(cosineOf(directionOf(word), directionOf(other)), NOT_BORNE_OUT)
  if (weight >= least) relate(relations, asTerms(word), asTerms(other), weight)
}

/** As the thesaurus names it: distinct terms with spaces between them. */
export function asTerms(expression: string): string {
  return [...new Set(findTerms(expression))].join(' ')
}

/** A frequent word, or an expression of up to three that people were found to use. */
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

/** Meanings that one leads to, and how sure each is to be what was meant. */
function reach({ synsets }: WordNet, from: string): Map<string, number> {
  const found = new Map([[from, 1]])
  const add = (id: string, strength: number) => {
    if (strength > (found.get(id) ?? 0)) found.set(id, strength)
  }
  const down = (id: string, strength: number, steps: number) => {
    for (const { kind, target } of steps === 0 ? [] : (synsets.get(id)?.links ?? [])) {
      if (kind !== '~' || strength <= (found.get(target) ?? 0)) continue
      add(target, strength)
      down(target, strength * NARROWER_STEP, steps - 1)
    }
  }
  down(from, NARROWER, NARROWER_STEPS)
  for (const { kind, target } of synsets.get(from)?.links ?? []) {
    add(target, kind === '@' ? WIDER : (LINKS[kind] ?? 0))
    if (kind !== '@') continue
    for (const wider of synsets.get(target)?.links ?? [])
      if (wider.kind === '@') add(wider.target, WIDER_STILL)
  }
  return found
}

function derivedFrom({ synsets }: WordNet, id: string, word: string): string[] {
  const synset = synsets.get(id)
  const at = (synset?.words.indexOf(word) ?? -1) + 1
  const links = synset?.links.filter(({ kind, from }) => DERIVATIONS.has(kind) && from === at) ?? []
  return links.flatMap(({ target, to }) => synsets.get(target)?.words[to - 1] ?? [])
}
