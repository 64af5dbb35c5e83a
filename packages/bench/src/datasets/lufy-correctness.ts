import { stemmer } from '@orama/stemmers/english'

/** Share of the answer's stems (those the question lacks) that a unit must hold. This rule is the harness's own. */
const NEEDED_SHARE = 0.6

const words = new Intl.Segmenter('en', { granularity: 'word' })

/** Distinct Snowball English stems of the word segments of a text: NFKC, lower case, no stop words taken out. */
export function stemsOf(text: string): Set<string> {
  const stems = new Set<string>()
  for (const piece of words.segment(text.normalize('NFKC').toLowerCase())) {
    if (piece.isWordLike === true) stems.add(stemmer(piece.segment))
  }
  return stems
}

/** What a correct unit must tell: the answer's stems that the question does not already give away. */
export function answerStems(question: string, answer: string): Set<string> {
  const given = stemsOf(question)
  return new Set([...stemsOf(answer)].filter((stem) => !given.has(stem)))
}

/**
 * Whether a unit answers a LUFY question: of its stems, at least 0.6 of `wanted`. This accepts more than the paper's
 * annotator did, so figures by this rule never stand beside the paper's in one column. With nothing wanted, no unit does.
 */
export function isCorrectUnit(unit: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  if (wanted.size === 0) return false
  let held = 0
  for (const stem of wanted) if (unit.has(stem)) held++
  return held >= NEEDED_SHARE * wanted.size
}
