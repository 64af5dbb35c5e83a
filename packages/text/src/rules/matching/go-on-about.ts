/** How a language names relatives and refers back to them with pronouns. */
export interface GoingOn {
  /** Finds the subject of the preceding sentence, captured as `she`, `he` or `either`. */
  readonly known: RegExp
  /** The possessive before the relative. */
  readonly my: string
  /** Matches the pronoun at the start of the next sentence. */
  readonly she: RegExp
  readonly he: RegExp
}

/**
 * Replaces the pronoun of the second sentence with its referent: “My sister called. She lives in Oslo.”.
 * Returns the sentence unchanged if the preceding one names no relative, or several that fit.
 */
export function goOnAbout(sentence: string, before: string | null, { known, my, she, he }: GoingOn): string {
  const isOfHer = she.test(sentence)
  if (before === null || (!isOfHer && !he.test(sentence))) return sentence
  const meant = [...before.matchAll(known)]
  const groups = meant[0]?.groups
  const who = groups?.[isOfHer ? 'she' : 'he'] ?? groups?.['either']
  if (meant.length !== 1 || who === undefined) return sentence
  return sentence.replace(isOfHer ? she : he, () => `${my}${who}`)
}
