import { estimateTokens } from 'keepsake'
import type { DatasetTurn } from '@keepsake/bench'

/** What data sets without names call their speakers: such a name gives a service no information. */
const ROLE_NAMES = new Set(['user', 'human', 'agent', 'assistant', 'ai', 'bot'])

/** The role names that every peer knows. */
export function roleOf(turn: DatasetTurn): 'user' | 'assistant' {
  return turn.role === 'assistant' ? 'assistant' : 'user'
}

/** The speaker's own name; `null` where the data gives only a role. */
export function nameOf(turn: DatasetTurn): string | null {
  const name = turn.speaker.trim()
  return name === '' || ROLE_NAMES.has(name.toLowerCase()) ? null : name
}

/** What was said, after the speaker's name where there is one: for services that take no name with a message. */
export function textWithName(turn: DatasetTurn): string {
  const name = nameOf(turn)
  return name === null ? turn.text : `${name}: ${turn.text}`
}

/** Turns in order, cut into pieces within the limits (tokens as `estimateTokens` counts); a turn that alone is over the limit of tokens stays whole. */
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

/** A text in pieces of at most `length` UTF-16 units, cut at white space where a piece has any. */
export function splitText(text: string, length: number): readonly string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > length) {
    const space = rest.slice(0, length + 1).search(/\s\S*$/u)
    // No surrogate pair is cut in two.
    const isPair = length > 1 && !rest.slice(0, length).isWellFormed()
    const end = space > 0 ? space : length - (isPair ? 1 : 0)
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  if (rest !== '' || pieces.length === 0) pieces.push(rest)
  return pieces
}

/** An instant as RFC 3339 in UTC, to the second, as the services' examples have it. */
export function instantOf(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/u, 'Z')
}

/** Lines within a budget of tokens, as `estimateTokens` counts, in order; one that does not fit is passed over. */
export function composeLines(lines: readonly string[], tokens: number): string {
  let context = ''
  for (const line of lines) {
    const longer = context === '' ? line : `${context}\n${line}`
    if (estimateTokens(longer) <= tokens) context = longer
  }
  return context
}
