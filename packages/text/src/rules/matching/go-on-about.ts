/** How a language speaks of those around somebody, and goes on about one of them. */
export interface GoingOn {
  /** Finds whoever the sentence before is about: `she`, `he` or `either` names them. */
  readonly known: RegExp
  /** What is put before them. */
  readonly my: string
  /** What the next sentence begins with. */
  readonly she: RegExp
  readonly he: RegExp
}

/**
 * “My sister called. She lives in Oslo.”: the second sentence with whom it is about. As it was, where the one before is about nobody, or
 * about several that may be meant.
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
