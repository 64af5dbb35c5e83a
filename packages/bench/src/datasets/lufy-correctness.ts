import { stemmer } from '@orama/stemmers/english'

/** Share of the answer's stems (without the question's) that a unit must contain. This rule is the harness's own. */
const NEEDED_SHARE = 0.6

const words = new Intl.Segmenter('en', { granularity: 'word' })

/** Distinct Snowball English stems of a text's word segments: NFKC, lower case, stop words included. */
export function stemsOf(text: string): Set<string> {
  const stems = new Set<string>()
  for (const piece of words.segment(text.normalize('NFKC').toLowerCase())) {
    if (piece.isWordLike === true) stems.add(stemmer(piece.segment))
  }
  return stems
}

/** The answer's stems that the question does not give away, which a correct unit must contain. */
export function answerStems(question: string, answer: string): Set<string> {
  const questionStems = stemsOf(question)
  return new Set([...stemsOf(answer)].filter((stem) => !questionStems.has(stem)))
}

/**
 * Whether a unit answers a LUFY question: it contains at least 0.6 of `wanted`. This accepts more than the paper's annotator did, so these
 * figures never share a column with the paper's. No unit does when nothing is wanted.
 */
export function isCorrectUnit(unit: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  if (wanted.size === 0) return false
  let held = 0
  for (const stem of wanted) if (unit.has(stem)) held++
  return held >= NEEDED_SHARE * wanted.size
}
