// Checks the turns that a caller passes to remember().
import {
  InvalidInputError,
  describeValue,
  readAttachment,
  readMoment,
  readName,
  readText,
  readTimeZone,
  requireKnownOptions,
  withAttachments,
  type AttachmentInput,
  type ReadAttachment,
} from '@keepsake/text'
import type { Metadata } from '@keepsake/text/names'
import { readMetadata } from '@keepsake/text/names'
import type { Role, TurnInput } from './turn.ts'

/** A turn of a caller after its check, before its session is known. */
export interface ReadTurn {
  readonly id: string
  readonly role: Role
  readonly speaker: string | null
  readonly text: string
  readonly at: number
  readonly timeZone: string | null
  readonly metadata: Metadata | null
  /** The attachments as given, which are not stored; absent without any. `text` has a line for each. */
  readonly attached?: AttachedFiles
}

export interface AttachedFiles {
  /** The text of the turn without the lines of attachments. */
  readonly ownText: string
  /** The attachments as the caller passed them. */
  readonly given: readonly AttachmentInput[]
  /** The same attachments after their check. */
  readonly read: readonly ReadAttachment[]
}

const MAX_ATTACHMENTS = 50

interface ReadOptions {
  /** Id of the call. The turns without an id get `ID/0`, `ID/1` and so on; ids from `newId` when absent. */
  readonly id?: string | undefined
  readonly now: number
  readonly newId: () => string
  /** Maximum length of a text, in UTF-16 units; the engine's general limit when absent. */
  readonly maxLength?: number | undefined
}

/** Matches a visible character. */
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u

const ROLES: Readonly<Record<string, Role>> = {
  user: 'user',
  assistant: 'assistant',
  agent: 'assistant',
  other: 'other',
  system: 'other',
  tool: 'other',
}

/** All fields of a turn. Any other field is refused, because it may be misspelt. */
const FIELDS = Object.keys({
  role: true,
  text: true,
  attachments: true,
  id: true,
  speaker: true,
  at: true,
  timeZone: true,
  metadata: true,
  remember: true,
} satisfies Readonly<Record<keyof TurnInput, true>>)

function requireFields(input: TurnInput, where: string): void {
  if (input.text === undefined && 'content' in input)
    throw new InvalidInputError(
      `${where}.text is missing, and there is "content": hand over what was said as "text", as in { role, text: message.content }.`,
    )
  requireKnownOptions(input, FIELDS, where, 'field')
}

/** Reads a turn's text. @throws InvalidInputError for a text without visible characters, because no recall could find it */
function readTurnText(
  value: unknown,
  where: string,
  maxLength: number | undefined,
  hasAttachments: boolean,
): string {
  const text = readText(value, where, maxLength)
  if (VISIBLE.test(text) || hasAttachments) return text
  throw new InvalidInputError(`${where} is empty: leave out turns without words.`)
}

/** Reads a speaker's name and repairs ill-formed Unicode in it. */
function readSpeaker(value: unknown, where: string): string {
  return readName(typeof value === 'string' ? value.toWellFormed() : value, where)
}

/** Describes a wrong role for an error message. A short word is quoted, because it is no secret. */
function describeRole(role: unknown): string {
  return typeof role === 'string' && /^\w{1,20}$/.test(role) ? `"${role}"` : describeValue(role)
}

function readTurn(
  input: TurnInput,
  where: string,
  { now, maxLength }: ReadOptions,
  newId: () => string,
): ReadTurn {
  if (typeof input !== 'object' || input === null) {
    throw new InvalidInputError(
      `${where}: pass messages like { role: 'user', text: '…' }, not ${describeValue(input)}.`,
    )
  }
  requireFields(input, where)
  const role = Object.hasOwn(ROLES, input.role) ? ROLES[input.role] : undefined
  if (role === undefined) {
    throw new InvalidInputError(
      `${where}.role must be one of ${Object.keys(ROLES).join(', ')}, but it is ${describeRole(input.role)}.`,
    )
  }
  const attachments = input.attachments ?? []
  if (!Array.isArray(attachments) || attachments.length > MAX_ATTACHMENTS)
    throw new InvalidInputError(`${where}.attachments must be a list of at most ${MAX_ATTACHMENTS}.`)
  const read = attachments.map((part, index) => readAttachment(part, `${where}.attachments[${index}]`))
  const ownText = readTurnText(input.text, `${where}.text`, maxLength, read.length > 0)
  const attached = read.length === 0 ? {} : { attached: { ownText, given: attachments, read } }
  return {
    id: input.id === undefined ? newId() : readName(input.id, `${where}.id`),
    role,
    speaker: input.speaker === undefined ? null : readSpeaker(input.speaker, `${where}.speaker`),
    text: withAttachments(
      ownText,
      read.map(({ attachment }) => attachment),
    ),
    ...attached,
    at: input.at === undefined ? now : readMoment(input.at, `${where}.at`, now),
    timeZone: input.timeZone === undefined ? null : readTimeZone(input.timeZone, `${where}.timeZone`),
    metadata: input.metadata === undefined ? null : readMetadata(input.metadata, `${where}.metadata`),
  }
}

/** Checks turns, without those marked `remember: false`. Secrets are not masked yet. @throws InvalidInputError */
export function readTurns(turns: TurnInput | readonly TurnInput[], options: ReadOptions): ReadTurn[] {
  const list = Array.isArray(turns) ? (turns as readonly TurnInput[]) : [turns as TurnInput]
  const readList = list.flatMap((turn, index) => {
    const where = list.length === 1 ? 'turn' : `turns[${index}]`
    const newId = options.id === undefined ? options.newId : () => `${options.id}/${index}`
    return turn?.remember === false ? [] : [readTurn(turn, where, options, newId)]
  })
  const ids = new Set<string>()
  for (const turn of readList) {
    if (ids.has(turn.id)) {
      throw new InvalidInputError(
        `Two turns of one call have the id "${turn.id}". Give each turn an id of its own.`,
      )
    }
    ids.add(turn.id)
  }
  return readList
}
