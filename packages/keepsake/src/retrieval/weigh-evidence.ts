import { NONE, ROLE_CODES } from './document-table.ts'
import type { Matches } from './match-documents.ts'

/** How well the documents match what was asked, on scales that do not depend on the other candidates. */
export interface Evidence {
  /** Documents looked at. */
  readonly documents: number
  /** Best match of one document's words, over the rarity of all that was asked; by the person asked about. */
  readonly words: number
  /** Best cosine, by the person asked about. */
  readonly meaning: number
  /** Best cosine by another person. */
  readonly rivalMeaning: number
  /** Whether the question names some of the people remembered, and others speak too. */
  readonly isAboutOne: boolean
  /** The best score, over what a document best in every part would score. */
  readonly agreement: number
}

/** One pass over the documents: how good the best match is, and whether it was said by the person asked about. */
export function weighEvidence(
  { table, counted, own, cosine, speakers, isAsked, rarity }: Matches,
  agreement: number,
): Evidence {
  const namesSomebody = speakers.size > 0
  let documents = 0
  let words = 0
  let meaning = 0
  let rivals = 0
  let rivalMeaning = 0
  for (let row = 0; row < table.length; row++) {
    if (counted[row] === 0) continue
    documents++
    const near = cosine?.[row] ?? 0
    // An agent repeats what it was told, so only another person's words speak against the one asked about.
    if (namesSomebody && table.roles[row] === ROLE_CODES.user && isAsked[table.speakers[row] ?? NONE] === 0) {
      rivals++
      if (near > rivalMeaning) rivalMeaning = near
      continue
    }
    if ((own[row] ?? 0) > words) words = own[row] ?? 0
    if (near > meaning) meaning = near
  }
  const isAboutOne = namesSomebody && rivals > 0
  return { documents, words: words / (rarity || 1), meaning, rivalMeaning, isAboutOne, agreement }
}
