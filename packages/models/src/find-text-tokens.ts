// Finds the tokens of a text in the tokens of its prompt.

/** The span of a token in the prompt, in characters. Two tokens may share a character. */
interface TokenSpan {
  readonly start: number
  readonly end: number
}

export interface TokenisedPrompt {
  readonly before: string
  readonly text: string
  /** Tokens of `before + text` in order. `null` for a token whose text the server hides. Special tokens may surround them. */
  readonly tokens: readonly (string | null)[]
  /** Offsets of the tokens in characters, as the server states them. They are used only if each token is at its offset. */
  readonly offsets?: readonly number[]
}

/** SentencePiece's mark for a space before a word, which some servers return. */
const WORD_MARK = '▁'
/** Maximum characters of a hidden token. */
const MAX_TOKEN_LENGTH = 32
/** Matches a token with only some bytes of a character, as servers write it: `<0xE4>`, `bytes:\xe4`, `\uFFFD`. */
const FRAGMENT = /^$|\uFFFD|^bytes:|^<0x[0-9A-F]{2}>$/i

/**
 * Returns the indexes of the tokens of `text` in the prompt `before + text`. A token across the border counts if at least half
 * of its characters belong to the text.
 *
 * Servers return prompts in different ways: with special tokens, with offsets that count them, without a space, or with the
 * bytes of a character in several tokens. So each token is searched in the prompt after the previous one. Tokens that are not
 * found share the characters between their neighbours evenly.
 *
 * @returns `null` when the tokens do not spell the prompt.
 * @example
 * findTextTokens({ before: 'Hi!\n', text: 'Oh no', tokens: ['<s>', 'Hi', '!', '\n', 'Oh', ' no'] }) // [4, 5]
 */
export function findTextTokens({ before, text, tokens, offsets }: TokenisedPrompt): number[] | null {
  const prompt = Array.from(before + text)
  const border = Array.from(before).length
  const spans = (offsets && spansByOffset(prompt, tokens, offsets)) ?? spansBySearch(prompt, tokens)
  if (spans === null) return null
  return [...spans.keys()].filter((index) => {
    const { start, end } = spans[index] ?? { start: 0, end: 0 }
    return (start + end) / 2 >= border && start < prompt.length
  })
}

/** Makes spans of the server's offsets; `null` if they do not fit the tokens. */
function spansByOffset(
  prompt: readonly string[],
  tokens: readonly (string | null)[],
  offsets: readonly number[],
): TokenSpan[] | null {
  if (offsets.length !== tokens.length) return null
  const spans = offsets.map((start, index) => ({ start, end: offsets[index + 1] ?? prompt.length }))
  const areValid = spans.every(({ start, end }, index) => {
    const token = tokens[index] ?? null
    return (
      start >= 0 &&
      start < prompt.length &&
      end >= start &&
      (!isShown(token) || matchesAt(prompt, Array.from(token), start))
    )
  })
  return areValid ? spans : null
}

/** Searches tokens one after another; `null` if too few are found. Tokens that are not found share the characters in between. */
function spansBySearch(prompt: readonly string[], tokens: readonly (string | null)[]): TokenSpan[] | null {
  const spans: TokenSpan[] = []
  const hasMarks = prompt.includes(WORD_MARK)
  /** End of the last token that was found. */
  let at = 0
  /** Maximum lengths of the tokens that were not found since the last match. */
  let missingLengths: number[] = []
  let unmatchedCount = 0
  for (const token of tokens) {
    if (!isShown(token)) {
      missingLengths.push(token === null ? MAX_TOKEN_LENGTH : 1)
      continue
    }
    const letters = Array.from(hasMarks ? token : token.replaceAll(WORD_MARK, ' '))
    const position = findNext(prompt, letters, at, sumOf(missingLengths) + 1)
    if (position === null) {
      missingLengths.push(letters.length)
      // Special tokens, and characters that the tokenizer changed, are not found. A valid answer has few of them.
      if (at < prompt.length) unmatchedCount++
      continue
    }
    const end = position + letters.length
    // Some servers drop the leading space of a token, so its span begins after the previous token.
    spans.push(...shareEvenly(missingLengths.length, at, position), {
      start: missingLengths.length === 0 ? at : position,
      end,
    })
    missingLengths = []
    at = end
  }
  if (prompt.length - at > sumOf(missingLengths) || unmatchedCount > tokens.length / 2) return null
  return [...spans, ...shareEvenly(missingLengths.length, at, prompt.length)]
}

/** Checks whether the server shows the text of a token, and it has whole characters. */
function isShown(token: string | null): token is string {
  return token !== null && !FRAGMENT.test(token)
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

/** Divides a range of characters into equal spans. */
function shareEvenly(count: number, start: number, end: number): TokenSpan[] {
  const width = (end - start) / count
  return Array.from({ length: count }, (_, index) => ({
    start: start + index * width,
    end: start + (index + 1) * width,
  }))
}

/** Returns the place of a token at most `maxDistance` characters after a place; `null` if it is not there. */
function findNext(
  prompt: readonly string[],
  token: readonly string[],
  at: number,
  maxDistance: number,
): number | null {
  const last = Math.min(at + maxDistance, prompt.length - token.length)
  for (let start = at; start <= last; start++) if (matchesAt(prompt, token, start)) return start
  return null
}

function matchesAt(prompt: readonly string[], token: readonly string[], start: number): boolean {
  return token.every((letter, index) => prompt[start + index] === letter)
}
