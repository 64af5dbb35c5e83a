import { given, readMetadata } from '@keepsake/text/names'
import { unreadable } from './import-error.ts'
import type { ImportSettings, ImportSource, PlacedTurn } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import { isAbsent, isObject, readItems, type JsonObject, within } from './json-records.ts'
import type { LeftOut } from './left-out.ts'
import { withIds } from './name-turns.ts'
import { readContent } from './read-content.ts'
import { readMoment } from './read-moment.ts'
import { roleOf } from './speaking.ts'

/** Fields with lists to import. */
const LISTS = ['threads', 'sessions', 'messages', 'episodes', 'edges', 'facts', 'relevant_facts'] as const
const THREADS = ['thread_id', 'session_id'] as const
const EXAMPLE = 'Zep messages are objects with "role" and "content". Zep facts are objects with "fact".'

/** User and thread that the values around a value name, or `null`. */
interface Context {
  readonly user: string | null
  readonly session: string | null
}

interface ReadOptions {
  readonly settings: ImportSettings
  readonly leftOut: LeftOut
}

/** Reads JSON of Zep's API. Messages of threads become turns, and facts of its graph become notes, except expired ones. */
export function readZep(input: InputFile, settings: ImportSettings): ImportSource {
  function* readAll(leftOut: LeftOut): Generator<PlacedTurn> {
    for (const { value, where } of readItems(input))
      yield* readValue(value, where, { user: null, session: null }, { settings, leftOut })
  }
  return { name: input.name, format: 'zep', turns: (leftOut) => withIds('zep', readAll(leftOut)) }
}

/** Reads a message or a fact, or an object that contains lists of them. */
function readValue(value: unknown, where: string, context: Context, reading: ReadOptions): PlacedTurn[] {
  if (typeof value === 'string') return [readFact({ fact: value }, where, context, reading)]
  if (!isObject(value)) throw unreadable(`${where}: ${EXAMPLE}`)
  const thread = THREADS.map((name) => value[name]).find((name) => typeof name === 'string')
  const { user_id: user } = value
  const innerContext = {
    user: typeof user === 'string' ? user : context.user,
    session: typeof thread === 'string' ? thread : context.session,
  }
  if (typeof value['fact'] === 'string')
    return skipOutdated(value, reading) ?? [readFact(value, where, innerContext, reading)]
  if ('content' in value)
    return isData(value)
      ? readData(value, where, innerContext, reading)
      : readMessage(value, where, innerContext, reading)
  const hasRelevantFacts = Array.isArray(value['relevant_facts']) && value['relevant_facts'].length > 0
  // Older versions list the same facts twice, once without times.
  const lists = LISTS.filter((name) => Array.isArray(value[name]) && !(name === 'facts' && hasRelevantFacts))
  if (lists.length === 0) throw unreadable(`${where}: ${EXAMPLE}`)
  return lists.flatMap((name) =>
    (value[name] as unknown[]).flatMap((item, index) =>
      readValue(item, within(where, [name, index]), innerContext, reading),
    ),
  )
}

/** Reports whether a value is data that the application added to a graph, and not a message. */
const isData = ({ role, role_type: kind, source }: JsonObject): boolean =>
  isAbsent(role) && isAbsent(kind) && (source === 'text' || source === 'json')

function readData(value: JsonObject, where: string, context: Context, reading: ReadOptions): PlacedTurn[] {
  const { content, source } = value
  if (source === 'text') return [readFact({ ...value, fact: content }, where, context, reading)]
  reading.leftOut.add('machinery')
  return []
}

/** Returns an empty list for a fact that has expired, and `null` for a current one. */
function skipOutdated(fact: JsonObject, { leftOut, settings }: ReadOptions): [] | null {
  const ends = [fact['invalid_at'], fact['expired_at']].filter((end) => typeof end === 'string')
  if (!ends.some((end) => Date.parse(end) <= settings.now)) return null
  leftOut.add('outdated')
  return []
}

function readFact(fact: JsonObject, where: string, context: Context, { settings }: ReadOptions): PlacedTurn {
  const { uuid, valid_at, invalid_at, created_at } = fact
  const text = String(fact['fact']).trim()
  if (text === '') throw unreadable(`${where}: "fact" is empty.`)
  const time = valid_at ?? created_at
  const metadata = given({ valid_at: valid_at ?? undefined, invalid_at: invalid_at ?? undefined })
  const turn = {
    role: 'other' as const,
    speaker: 'Zep',
    text,
    ...given({
      id: typeof uuid === 'string' ? `zep-${uuid}` : undefined,
      at: isAbsent(time)
        ? undefined
        : readMoment(time, `${where}: "${isAbsent(valid_at) ? 'created_at' : 'valid_at'}"`, settings),
      metadata: Object.keys(metadata).length === 0 ? undefined : readMetadata(metadata, `${where}: the fact`),
    }),
  }
  return { user: context.user, session: 'zep-facts', agent: null, app: null, where, turn, isStatement: true }
}

function readMessage(
  message: JsonObject,
  where: string,
  { user, session }: Context,
  { settings, leftOut }: ReadOptions,
): PlacedTurn[] {
  const { uuid, role, role_type: kind, name, created_at, reference_time, metadata } = message
  const roleText = kind ?? role
  const part = typeof roleText === 'string' ? roleOf(roleText) : null
  const text = readContent(message['content'])
  if (text === undefined) throw unreadable(`${where}: "content" must be a string.`)
  if (part === null && roleText !== 'norole')
    throw unreadable(
      `${where}: "${kind === undefined ? 'role' : 'role_type'}" must be "user" or "assistant".`,
    )
  if (part === null || part === 'machine') leftOut.add('machinery')
  else if (text === '') leftOut.add('wordless')
  if (part === null || part === 'machine' || text === '') return []
  // In older versions "role" is the name and "role_type" the role.
  const speaker = name ?? (kind === undefined ? undefined : role)
  const at = reference_time ?? created_at
  const turn = {
    role: part,
    text,
    ...given({
      id: typeof uuid === 'string' ? `zep-${uuid}` : undefined,
      speaker:
        typeof speaker === 'string' && speaker.trim() !== '' && roleOf(speaker) === null
          ? speaker
          : undefined,
      at: isAbsent(at) ? undefined : readMoment(at, `${where}: the time`, settings),
      metadata:
        isObject(metadata) && Object.keys(metadata).length > 0
          ? readMetadata(metadata, `${where}: "metadata"`)
          : undefined,
    }),
  }
  return [{ user, session: session ?? 'zep', agent: null, app: null, where, turn }]
}
