/** Number of sentences of a passage. A long memory is compared in passages, because the words of a statement are close together. */
const SENTENCES_PER_PASSAGE = 3
/** Matches the end of a sentence in English or Chinese, and line breaks. */
const SENTENCE_END = /(?<=[.!?…](?:["'”’)]*)\s+)|(?<=[。！？](?:["'”’)]*))|\n+/u
/** Matches a full stop that ends no sentence: “Mr. Bell”, “3 p.m. today”. */
const ABBREVIATION = /(?:^|\s)(?:Mr|Mrs|Ms|Dr|St|Prof|vs|e\.g|i\.e|[ap]\.m|\p{Lu})\.\s*$/u

/** Splits a text into sentences. */
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

/** Lists all runs of three sentences, which overlap. A shorter text is one passage. */
export function passagesOf(text: string): string[] {
  const sentences = sentencesOf(text)
  if (sentences.length <= SENTENCES_PER_PASSAGE) return [text]
  return Array.from({ length: sentences.length - SENTENCES_PER_PASSAGE + 1 }, (_, start) =>
    sentences.slice(start, start + SENTENCES_PER_PASSAGE).join(' '),
  )
}
