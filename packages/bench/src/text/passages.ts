/** Sentences of a memory compared together. A long memory has any word somewhere; the words of a statement are close. */
const SENTENCES_A_PASSAGE = 3
const SENTENCE_END = /(?<=[.!?…](?:["'”’)]*)\s+)|(?<=[。！？](?:["'”’)]*))|\n+/u
/** “Mr. Bell”, “3 p.m. today”: no end of a sentence. */
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

/** Every run of three sentences, or the whole of a shorter text. */
export function passagesOf(text: string): string[] {
  const sentences = sentencesOf(text)
  if (sentences.length <= SENTENCES_A_PASSAGE) return [text]
  return Array.from({ length: sentences.length - SENTENCES_A_PASSAGE + 1 }, (_, start) =>
    sentences.slice(start, start + SENTENCES_A_PASSAGE).join(' '),
  )
}
