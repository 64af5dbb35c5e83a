/** The span of a token in the prompt, in characters. Two tokens may share a character. */
interface TokenSpan {
  readonly start: number
  readonly end: number
}

export interface TokenisedPrompt {
  readonly before: string
  readonly text: string
  /** Tokens of `before + text` in order; `null` where the server hides the text of a token. Special tokens may surround them. */
  readonly tokens: readonly (string | null)[]
  /** Offset of each token in characters, from the server. It is used only where the prompt has the token at that place. */
  readonly offsets?: readonly number[]
}

/** SentencePiece's mark for a space before a word, which some servers return. */
const WORD_MARK = '▁'
/** Maximum characters of a hidden token. */
const MAX_TOKEN_LENGTH = 32
/** Matches a token with only some bytes of a character: `<0xE4>`, `bytes:\xe4`, `\uFFFD`. */
const FRAGMENT = /^$|\uFFFD|^bytes:|^<0x[0-9A-F]{2}>$/i

/**
 * Returns the indexes of the tokens of `text` in the prompt `before + text`. A token across the border counts when at least half of its
 * characters are the text's.
 *
 * Servers differ in their echo: special tokens, offsets that count them, a lost space, bytes of a character in several tokens. Each token
 * is therefore searched in the prompt after the previous one. Tokens not found share the characters between their neighbours evenly.
 *
 * @returns `null` when the tokens do not spell the prompt.
 * @example
 * findTextTokens({ before: 'Hi!\n', text: 'Oh no', tokens: ['<s>', 'Hi', '!', '\n', 'Oh', ' no'] }) // [4, 5]
 */
export function findTextTokens({ before, text, tokens, offsets }: TokenisedPrompt): number[] | null {
  const prompt = Array.from(before + text)
  const border = Array.from(before).length
  const spans = (offsets && spansByOffset(prompt, tokens, offsets)) ?? spansByWalk(prompt, tokens)
  if (spans === null) return null
  return [...spans.keys()].filter((index) => {
    const { start, end } = spans[index] ?? { start: 0, end: 0 }
    return (start + end) / 2 >= border && start < prompt.length
  })
}

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

/** Finds tokens one after another. Fragments that are not found (of é: `<0xC3>`, `<0xA9>`) share the rest. */
function spansByWalk(prompt: readonly string[], tokens: readonly (string | null)[]): TokenSpan[] | null {
  const spans: TokenSpan[] = []
  const hasMarks = prompt.includes(WORD_MARK)
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
      // Counts special tokens and characters that the tokenizer changed: there are few in a valid echo.
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

function isShown(token: string | null): token is string {
  return token !== null && !FRAGMENT.test(token)
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function shareEvenly(count: number, start: number, end: number): TokenSpan[] {
  const width = (end - start) / count
  return Array.from({ length: count }, (_, index) => ({
    start: start + index * width,
    end: start + (index + 1) * width,
  }))
}

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
