import type { LanguageAnswer, LanguageChunk } from 'keepsake'

/** A whole answer as a stream: its text in one piece, then how it ended. */
export async function* streamAnswer(answer: Promise<LanguageAnswer>): AsyncGenerator<LanguageChunk> {
  const { text, finish, usage } = await answer
  if (text !== '') yield { kind: 'text', text }
  yield { kind: 'end', finish, usage }
}

/** Hands a stream's pieces on, and tells the whole answer once it ended. */
export async function* whenWhole(
  pieces: AsyncIterable<LanguageChunk>,
  onWhole: (answer: LanguageAnswer) => void,
): AsyncGenerator<LanguageChunk> {
  let text = ''
  for await (const piece of pieces) {
    if (piece.kind === 'text') text += piece.text
    else onWhole({ text, finish: piece.finish, usage: piece.usage })
    yield piece
  }
}
