/** Where a token lies in the prompt, in characters from its start; two tokens may share a character. */
interface TokenSpan {
  readonly start: number
  readonly end: number
}

export interface TokenisedPrompt {
  readonly before: string
  readonly text: string
  /** The tokens of `before + text`, in order, `null` where one is not shown; there may be special ones around them. */
  readonly tokens: readonly (string | null)[]
  /** Where each begins, in characters, as the server says it. Believed only where the tokens stand there. */
  readonly offsets?: readonly number[]
}

/** SentencePiece's sign for a space before a word, which some servers leave in. */
const WORD_MARK = '▁'
/** Characters that a token which is not shown may have. */
const LONGEST_TOKEN = 32
/** What a token shows that holds part of a character's bytes. */
const FRAGMENT = /^$|\uFFFD|^bytes:|^<0x[0-9A-F]{2}>$/i

/**
 * Indices of the tokens that make up `text` in the prompt `before + text`. A token across the border counts when at
 * least half of its characters are the text's.
 *
 * Servers differ in what they echo: with and without special tokens, offsets that count those, a lost space before
 * a word, bytes of a character in several tokens. So the tokens are laid along the prompt: each where it is found
 * next, and those not found share evenly what lies between their neighbours.
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
  const hold = spans.every(({ start, end }, index) => {
    const token = tokens[index] ?? null
    return (
      start >= 0 &&
      start < prompt.length &&
      end >= start &&
      (!isShown(token) || standsAt(prompt, Array.from(token), start))
    )
  })
  return hold ? spans : null
}

function spansByWalk(prompt: readonly string[], tokens: readonly (string | null)[]): TokenSpan[] | null {
  const spans: TokenSpan[] = []
  const marked = prompt.includes(WORD_MARK)
  let at = 0
  /** Of each token not found since the last that was: how many characters it may stand for. */
  let pending: number[] = []
  let strangers = 0
  for (const token of tokens) {
    if (!isShown(token)) {
      pending.push(token === null ? LONGEST_TOKEN : 1)
      continue
    }
    const letters = Array.from(marked ? token : token.replaceAll(WORD_MARK, ' '))
    const found = findNext(prompt, letters, at, sumOf(pending) + 1)
    if (found === null) {
      pending.push(letters.length)
      // Special tokens, and characters that the tokenizer changed: a few.
      if (at < prompt.length) strangers++
      continue
    }
    const end = found + letters.length
    // Without anything in between, a character skipped is the space that a token lost in being shown.
    spans.push(...share(pending.length, at, found), { start: pending.length === 0 ? at : found, end })
    pending = []
    at = end
  }
  if (prompt.length - at > sumOf(pending) || strangers > tokens.length / 2) return null
  return [...spans, ...share(pending.length, at, prompt.length)]
}

function isShown(token: string | null): token is string {
  return token !== null && !FRAGMENT.test(token)
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function share(count: number, start: number, end: number): TokenSpan[] {
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
  reach: number,
): number | null {
  const last = Math.min(at + reach, prompt.length - token.length)
  for (let start = at; start <= last; start++) if (standsAt(prompt, token, start)) return start
  return null
}

function standsAt(prompt: readonly string[], token: readonly string[], start: number): boolean {
  return token.every((letter, index) => prompt[start + index] === letter)
}
