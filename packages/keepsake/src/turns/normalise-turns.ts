import { InvalidInputError } from '../errors/invalid-input-error.ts'
import type { Metadata } from '../metadata/metadata.ts'
import { readMetadata } from '../metadata/read-metadata.ts'
import type { Role, TurnInput } from './turn.ts'

/** The longest turn taken, in UTF-16 units: 4 MB of plain text, far above any real utterance. */
export const LONGEST_TURN = 4_000_000
const LONGEST_ID = 512

/** A turn with everything it needs, before it is stored. */
export interface NormalTurn {
  readonly id: string
  readonly role: Role
  readonly speaker: string | null
  readonly text: string
  readonly at: number
  readonly timeZone: string | null
  readonly metadata: Metadata | null
}

const ROLES: Readonly<Record<string, Role>> = {
  user: 'user',
  agent: 'agent',
  assistant: 'agent',
  other: 'other',
  system: 'other',
  tool: 'other',
}

/** An id or name as given by a caller: a non-empty string of bounded length, well-formed. */
export function readName(value: unknown, what: string): string {
  if (typeof value !== 'string' || value.trim() === '') {
    throw new InvalidInputError(`${what} must be a non-empty string, but it is ${describe(value)}.`)
  }
  if (value.length > LONGEST_ID) {
    throw new InvalidInputError(
      `${what} is ${value.length} characters long; at most ${LONGEST_ID} are taken.`,
    )
  }
  return value.toWellFormed()
}

/** Milliseconds since 1970 from what a caller may give as a time. */
export function readTime(value: unknown, what: string): number {
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : value
  if (typeof time !== 'number' || !Number.isFinite(time) || Math.abs(time) > 8.64e15) {
    throw new InvalidInputError(
      `${what} must be a Date, milliseconds since 1970 or an ISO 8601 string, but it is ${describe(value)}.`,
    )
  }
  return Math.trunc(time)
}

/** Names a value in an error without quoting what somebody said. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string')
    return value === '' ? 'an empty string' : `a string of ${value.length} characters`
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'number') return `the number ${value}`
  return value instanceof Date ? 'an invalid date' : `of type ${typeof value}`
}

function readTimeZone(value: unknown, where: string): string {
  const zone = readName(value, `${where}.timeZone`)
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch (cause) {
    throw new InvalidInputError(
      `${where}.timeZone is not a time zone this Node knows. Give an IANA name such as "Europe/Paris" or an offset such as "+02:00".`,
      {},
      cause,
    )
  }
}

function normaliseTurn(input: TurnInput, where: string, now: number, newId: () => string): NormalTurn {
  if (typeof input !== 'object' || input === null) {
    throw new InvalidInputError(`${where} must be a turn {role, text}, but it is ${describe(input)}.`)
  }
  const role = ROLES[input.role]
  if (role === undefined) {
    throw new InvalidInputError(
      `${where}.role must be one of ${Object.keys(ROLES).join(', ')}, but it is ${describe(input.role)}.`,
    )
  }
  if (typeof input.text !== 'string') {
    throw new InvalidInputError(`${where}.text must be a string, but it is ${describe(input.text)}.`)
  }
  if (input.text.length > LONGEST_TURN) {
    throw new InvalidInputError(
      `${where}.text is ${input.text.length} characters long; at most ${LONGEST_TURN} are taken. Split it into several turns.`,
    )
  }
  return {
    id: input.id === undefined ? newId() : readName(input.id, `${where}.id`),
    role,
    speaker: input.speaker === undefined ? null : readName(input.speaker, `${where}.speaker`),
    text: input.text.toWellFormed(),
    at: input.at === undefined ? now : readTime(input.at, `${where}.at`),
    timeZone: input.timeZone === undefined ? null : readTimeZone(input.timeZone, where),
    metadata: input.metadata === undefined ? null : readMetadata(input.metadata, `${where}.metadata`),
  }
}

/**
 * Reads a caller's turns once, at the boundary. Turns marked `remember: false` are left out. Lone
 * surrogates, which no file can hold, become U+FFFD.
 *
 * @throws InvalidInputError naming the turn and field that cannot be read; nothing is stored then.
 */
export function normaliseTurns(
  turns: TurnInput | readonly TurnInput[],
  given: { readonly id?: string | undefined; readonly now: number; readonly newId: () => string },
): NormalTurn[] {
  const list = Array.isArray(turns) ? (turns as readonly TurnInput[]) : [turns as TurnInput]
  const normal = list.flatMap((turn, index) => {
    const where = list.length === 1 ? 'turn' : `turns[${index}]`
    const newId = given.id === undefined ? given.newId : () => `${given.id}/${index}`
    return turn?.remember === false ? [] : [normaliseTurn(turn, where, given.now, newId)]
  })
  const seen = new Set<string>()
  for (const turn of normal) {
    if (seen.has(turn.id)) {
      throw new InvalidInputError(
        `Two turns of one call have the id "${turn.id}". Give each turn an id of its own.`,
      )
    }
    seen.add(turn.id)
  }
  return normal
}
