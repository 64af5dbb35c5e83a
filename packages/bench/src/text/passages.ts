/** The words of a statement stand close together, so a long memory is compared in passages of this many sentences. */
const SENTENCES_PER_PASSAGE = 3
const SENTENCE_END = /(?<=[.!?…](?:["'”’)]*)\s+)|(?<=[。！？](?:["'”’)]*))|\n+/u
/** Matches a full stop that ends no sentence: “Mr. Bell”, “3 p.m. today”. */
const ABBREVIATION = /(?:^|\s)(?:Mr|Mrs|Ms|Dr|St|Prof|vs|e\.g|i\.e|[ap]\.m|\p{Lu})\.\s*$/u

export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  for (const piece of text.split(SENTENCE_END)) {
    const before = sentences.at(-1)
    if (before !== undefined && ABBREVIATION.test(before))
      sentences[sentences.length - 1] = `${before} ${piece.trim()}`
    else if (piece.trim() !== '') sentences.push(piece.trim())
  }
  return sentences
}

/** All runs of three sentences, which overlap. A shorter text is one passage. */
export function passagesOf(text: string): string[] {
  const sentences = sentencesOf(text)
  if (sentences.length <= SENTENCES_PER_PASSAGE) return [text]
  return Array.from({ length: sentences.length - SENTENCES_PER_PASSAGE + 1 }, (_, start) =>
    sentences.slice(start, start + SENTENCES_PER_PASSAGE).join(' '),
  )
}
