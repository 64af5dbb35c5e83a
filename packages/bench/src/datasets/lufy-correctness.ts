import { stemmer } from '@orama/stemmers/english'

/** The share of the answer's stems that a unit must contain to count as correct. The number is ours, because in the paper an annotator decided. */
const NEEDED_SHARE = 0.6

const words = new Intl.Segmenter('en', { granularity: 'word' })

/** Lists the different English stems of a text, by the Snowball stemmer. Stop words count too. */
export function stemsOf(text: string): Set<string> {
  const stems = new Set<string>()
  for (const piece of words.segment(text.normalize('NFKC').toLowerCase())) {
    if (piece.isWordLike === true) stems.add(stemmer(piece.segment))
  }
  return stems
}

/** Lists the stems of an answer that its question does not have. */
export function answerStems(question: string, answer: string): Set<string> {
  const questionStems = stemsOf(question)
  return new Set([...stemsOf(answer)].filter((stem) => !questionStems.has(stem)))
}

/** Reports whether a unit has 0.6 of the answer's stems. The paper's annotator accepted less, so these figures have separate columns. */
export function isCorrectUnit(unit: ReadonlySet<string>, expectedStems: ReadonlySet<string>): boolean {
  if (expectedStems.size === 0) return false
  const found = [...expectedStems].filter((stem) => unit.has(stem))
  return found.length >= NEEDED_SHARE * expectedStems.size
}
