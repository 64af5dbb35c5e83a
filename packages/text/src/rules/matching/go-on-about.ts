/** How a language names relatives and refers back to them with pronouns. */
export interface GoingOn {
  /** Finds relatives in the preceding sentence. The group is `she`, `he`, or `either` for one of unknown gender. */
  readonly known: RegExp
  /** The possessive that is put before the relative: “My ”, 我. */
  readonly my: string
  /** `she` and `he` match a pronoun at the start of the next sentence. */
  readonly she: RegExp
  readonly he: RegExp
}

/**
 * Replaces the pronoun of the second sentence with its referent: “My sister called. She lives in Oslo.”.
 * Returns the sentence unchanged if the preceding one names no relative, or several that fit.
 */
export function goOnAbout(sentence: string, before: string | null, { known, my, she, he }: GoingOn): string {
  const isFeminine = she.test(sentence)
  if (before === null || (!isFeminine && !he.test(sentence))) return sentence
  const relatives = [...before.matchAll(known)]
  const groups = relatives[0]?.groups
  const relative = groups?.[isFeminine ? 'she' : 'he'] ?? groups?.['either']
  if (relatives.length !== 1 || relative === undefined) return sentence
  return sentence.replace(isFeminine ? she : he, () => `${my}${relative}`)
}
