import { given } from '@keepsake/text/names'
import type { ChatFormat, FormatConversation, FormatMessage } from './chat-format.ts'
import { CHAT_FORMATS, type ChatFormatName } from './chat-formats.ts'
import { unreadable } from './import-error.ts'
import { UNPLACED, type ImportSettings, type ImportSource, type PlacedTurn } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import { isAbsent, isObject, readItems } from './json-records.ts'
import type { LeftOut } from './left-out.ts'
import { inSessions, withIds } from './name-turns.ts'
import { readContent } from './read-content.ts'
import { readMoment, readWallTime } from './read-moment.ts'
import type { PeopleNames } from './slack-names.ts'
import { chooseSpeaker, personNamed, roleOf } from './speaking.ts'
import { shownBranch } from './shown-branch.ts'

type PlacedConversation = FormatConversation & { readonly where: string }

/** Reads a file by one of {@link CHAT_FORMATS}. @throws ImportError naming the place of a value that does not fit */
export function readChatFormat(
  format: ChatFormatName,
  input: InputFile,
  settings: ImportSettings,
): ImportSource {
  const { names = new Map<string, string>() } = settings
  // Counts people without messages too, since the user may have written nothing in this file.
  const counts = new Map([...names.values()].map((name): [string, number] => [name, 0]))
  const byAccount = new Map([...names].map(([id, name]) => [id.replace(/^@/, ''), name]))
  for (const { messages } of conversationsOf(format, input, names))
    for (const message of messages) {
      if (typeof message === 'string' || message.role !== null || message.speaker === undefined) continue
      const { speaker, account } = message
      counts.set(speaker, (counts.get(speaker) ?? 0) + 1)
      if (account !== undefined) byAccount.set(account.toLowerCase(), speaker)
    }
  const wanted = settings.speaker?.trim().replace(/^@/, '').toLowerCase() ?? ''
  const chosen = counts.has(settings.speaker ?? '') ? undefined : byAccount.get(wanted)
  const { user, note } = findUser(input.name, counts, { ...settings, ...given({ speaker: chosen }) })
  function* readTurns(leftOut: LeftOut): Generator<PlacedTurn> {
    for (const conversation of conversationsOf(format, input, names))
      yield* placeMessages(format, conversation, { user, settings, leftOut })
  }
  return {
    name: input.name,
    format,
    turns: (leftOut) => inSessions(format, withIds(format, readTurns(leftOut))),
    notes: note === null ? [] : [note],
  }
}

/** Reads the conversations of a file, oldest first. */
function* conversationsOf(
  format: ChatFormatName,
  input: InputFile,
  names: PeopleNames,
): Generator<PlacedConversation> {
  const { read, isNewestFirst }: ChatFormat = CHAT_FORMATS[format]
  const newestFirst: PlacedConversation[] = []
  for (const { value, where } of readItems(input)) {
    if (!isObject(value)) throw unreadable(`${where}: a record of ${format} is a JSON object.`)
    const conversation = read(value, names)
    if (conversation !== null && isNewestFirst === true)
      newestFirst.unshift(sortMessages(conversation, where))
    else if (conversation !== null) yield { ...conversation, where }
  }
  yield* newestFirst
}

/** Sorts the messages of a conversation oldest first. Messages with equal times keep their order. */
function sortMessages(conversation: FormatConversation, where: string): PlacedConversation {
  const at = (message: FormatConversation['messages'][number]): number =>
    typeof message === 'string' ? 0 : Number(message.at ?? 0) || 0
  return {
    ...conversation,
    where,
    messages: conversation.messages.toSorted((left, right) => at(left) - at(right)),
  }
}

/** Finds the speaker who is the user, or asks. The command line stores all speakers under their names instead. */
export function findUser(
  file: string,
  counts: ReadonlyMap<string, number>,
  settings: ImportSettings,
): { readonly user: string | null; readonly note: string | null } {
  if (counts.size === 0) return { user: null, note: null }
  try {
    return { user: chooseSpeaker(file, counts, settings), note: null }
  } catch (error) {
    if (settings.speaker !== undefined || settings.by === 'request') throw error
    const note =
      'The file does not show which speaker is the user: each is stored under their name. To set --speaker afterwards, erase these sessions first: otherwise the others’ messages are stored twice.'
    return { user: null, note }
  }
}

/** The user's name in the file, if known, and the settings with which messages become turns. */
interface Placing {
  readonly user: string | null
  readonly settings: ImportSettings
  readonly leftOut: LeftOut
}

/** Turns the messages of a conversation's visible branch into turns. */
function* placeMessages(
  format: ChatFormatName,
  { session, messages, current, where }: PlacedConversation,
  { user, settings, leftOut }: Placing,
): Generator<PlacedTurn> {
  const { isStatements: isStatement }: ChatFormat = CHAT_FORMATS[format]
  const readable: FormatMessage[] = []
  for (const message of messages) {
    if (typeof message === 'string') leftOut.add(message)
    else readable.push(message)
  }
  const visible = shownBranch(readable, current)
  leftOut.add('branches', readable.length - visible.length)
  for (const message of visible) {
    const text = readContent(message.text)
    if (text === undefined) throw unreadable(`${where}: a message must be text or a list of parts.`)
    if (text === '') leftOut.add('wordless')
    else {
      const turn = { ...partIn(message, user), text, ...given({ at: timeOf(message.at, where, settings) }) }
      const id = message.id === undefined ? {} : { id: `${format}-${session ?? ''}${message.id}` }
      yield {
        ...UNPLACED,
        user: personNamed(user),
        session: session === null ? null : `${format}-${session}`,
        where,
        turn: { ...turn, ...id },
        ...given({ isStatement }),
      }
    }
  }
}

/** Returns role and speaker of a message. Without a role, the user's messages have the role `user`, and all others `assistant`. */
function partIn(
  { role, speaker }: FormatMessage,
  user: string | null,
): Pick<PlacedTurn['turn'], 'role' | 'speaker'> {
  const knownRole = role ?? (user === null || speaker === user ? 'user' : 'assistant')
  return {
    role: knownRole,
    ...given({ speaker: speaker === undefined || roleOf(speaker) !== null ? undefined : speaker }),
  }
}

/** Matches seconds (10 digits) or milliseconds (13 digits) since 1970, written as text. */
export const SINCE_1970 = /^\d{10}(?:\.\d+)?$|^\d{13}$/

/** Matches SillyTavern's times: `2026-03-01@18h30m12s`, in older releases `2023-5-2 @9h 3m 5s 12ms`. */
const SILLYTAVERN_TIME = /^(\d{4})-(\d{1,2})-(\d{1,2}) ?@(\d{1,2})h ?(\d{1,2})m ?(\d{1,2})s.*$/

/** Reads a time: ISO 8601, a number since 1970, an English date such as `March 1, 2026 6:30pm`, or {@link SILLYTAVERN_TIME}. */
export function timeOf(value: unknown, where: string, settings: ImportSettings): number | undefined {
  if (isAbsent(value) || value === '' || Number.isNaN(value)) return undefined
  const what = `${where}: the time`
  if (typeof value === 'string' && SINCE_1970.test(value))
    return readMoment(Number(value), what, settings, 'seconds')
  const text = typeof value === 'string' ? value.replace(SILLYTAVERN_TIME, '$1/$2/$3 $4:$5:$6') : value
  if (typeof text !== 'string' || /^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(text))
    return readMoment(text, what, settings, 'seconds')
  // Other dates, such as 3/4/2026, are refused: the order of day and month is unknown.
  if (!/^\d{4}\/|[a-z]{3}/i.test(text)) return readMoment(text, what, settings, 'seconds')
  const plain = text.replace(/(\d)([ap]m)\b/i, '$1 $2')
  const wall = new Date(`${plain} UTC`)
  if (Number.isNaN(wall.getTime())) return readMoment(value, what, settings, 'seconds')
  const clock = [wall.getUTCHours(), wall.getUTCMinutes(), wall.getUTCSeconds()] as const
  return readWallTime(
    [wall.getUTCFullYear(), wall.getUTCMonth() + 1, wall.getUTCDate(), ...clock],
    what,
    settings,
  )
}
