import { estimateTokens } from 'keepsake'
import type { DatasetTurn } from '@keepsake/bench'

/** The speakers' names in data sets without names. Services do not get them, since they say no more than the role. */
const ROLE_NAMES = new Set(['user', 'human', 'agent', 'assistant', 'ai', 'bot'])

/** Returns a turn's role. Every peer knows these two. */
export function roleOf(turn: DatasetTurn): 'user' | 'assistant' {
  return turn.role === 'assistant' ? 'assistant' : 'user'
}

/** Returns the speaker's name; `null`: the data has only a role. */
export function nameOf(turn: DatasetTurn): string | null {
  const name = turn.speaker.trim()
  return name === '' || ROLE_NAMES.has(name.toLowerCase()) ? null : name
}

/** Returns a turn's text after the speaker's name, if there is one. For services whose messages have no field for a name. */
export function textWithName(turn: DatasetTurn): string {
  const name = nameOf(turn)
  return name === null ? turn.text : `${name}: ${turn.text}`
}

/** Divides turns into batches within the limits. Tokens are estimated with `estimateTokens`. A turn longer than the limit of tokens is a batch of its own. */
export function batchTurns(
  turns: readonly DatasetTurn[],
  limits: { readonly turns: number; readonly tokens?: number },
): readonly (readonly DatasetTurn[])[] {
  const batches: DatasetTurn[][] = []
  let tokens = 0
  for (const turn of turns) {
    const cost = estimateTokens(textWithName(turn))
    const batch = batches.at(-1)
    const isFull =
      batch === undefined ||
      batch.length >= limits.turns ||
      (limits.tokens !== undefined && tokens + cost > limits.tokens)
    if (isFull) {
      batches.push([turn])
      tokens = cost
    } else {
      batch.push(turn)
      tokens += cost
    }
  }
  return batches
}

/** Splits a text into pieces of at most `length` UTF-16 units, at white space if possible. */
export function splitText(text: string, length: number): readonly string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > length) {
    const space = rest.slice(0, length + 1).search(/\s\S*$/u)
    // Does not split a surrogate pair.
    const isPair = length > 1 && !rest.slice(0, length).isWellFormed()
    const end = space > 0 ? space : length - (isPair ? 1 : 0)
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  if (rest !== '' || pieces.length === 0) pieces.push(rest)
  return pieces
}

/** Formats a time as RFC 3339 in UTC, to the second, as in the services' examples. */
export function instantOf(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/u, 'Z')
}

/** Joins lines within a budget of tokens, estimated with `estimateTokens`. Leaves out a line that does not fit. */
export function composeLines(lines: readonly string[], tokens: number): string {
  let context = ''
  for (const line of lines) {
    const longer = context === '' ? line : `${context}\n${line}`
    if (estimateTokens(longer) <= tokens) context = longer
  }
  return context
}
