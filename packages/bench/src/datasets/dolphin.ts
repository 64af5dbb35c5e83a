import { z } from 'zod'
import { checkRecord } from './check-record.ts'
import {
  TurnRoleField,
  type BenchConversation,
  type DatasetSession,
  type DatasetTurn,
  type GoldMemory,
  type OpenedDataset,
} from './conversation.ts'
import { gatherUnits } from './gather-units.ts'
import { opaqueId } from './opaque-id.ts'
import { timeField } from './read-time.ts'
import { openJsonArray, openJsonLines, type RecordFile } from './record-file.ts'
import { readFirst, streamConversations } from './stream-conversations.ts'

const ZONE = 'Asia/Shanghai'
/** The gap between turns, which have no times in this form. */
const TURN_GAP_MS = 20_000

const TimeField = timeField('2026-01-05T09:00:00Z')

/** A turn with its role, or, as in the paper's example, with the speaker's name as key: `{"小周": "嗯"}`. */
const TurnSchema = z.union([
  z.object({ role: TurnRoleField, text: z.string() }),
  z
    .record(z.string(), z.string())
    .refine((turn) => Object.keys(turn).length === 1, 'should have one speaker'),
])

/** A list of sentences, or one text with `|` between sentences, as in the paper. */
const MemorySchema = z.union([z.array(z.string()), z.string().transform((text) => text.split('|'))])

const SessionSchema = z.object({
  startedAt: TimeField.optional(),
  dialogue: z.array(TurnSchema).min(1, 'should have a turn'),
  memory: MemorySchema.nullish(),
})

const PortraitSchema = z.object({ user: z.string(), relationship: z.string(), events: z.string() })

const EpisodeSchema = z.object({
  id: z.string(),
  language: z.enum(['en', 'zh']),
  user: z.string(),
  character: z.string(),
  sessions: z.array(SessionSchema).min(1, 'should have a session'),
  portrait: z.union([PortraitSchema, z.string()]).nullish(),
  tests: z.array(SessionSchema.omit({ memory: true })).default([]),
})

/** An episode as the file has it. */
type ReadEpisode = z.output<typeof EpisodeSchema>
type ReadTurn = z.output<typeof TurnSchema>

/** An episode of Dolphin, the COMEDY paper's data: earlier sessions, their annotations, and sessions for testing replies. */
export interface DolphinEpisode {
  readonly name: string
  readonly user: string
  readonly character: string
  readonly language: 'en' | 'zh'
  readonly sessions: readonly DatasetSession[]
  /** The annotated memory of each session, which a system should write (task 1). `null`: not annotated. */
  readonly memories: readonly (string | null)[]
  /** The annotated portrait, a compression of the session memories (task 2). */
  readonly portrait: string | null
  /** The sessions in which a system must reply as the agent (task 3). */
  readonly tests: readonly DatasetSession[]
}

/** A file in the form of Dolphin, read episode by episode. */
export interface OpenedDolphin extends Pick<OpenedDataset, 'name' | 'language' | 'dataHash' | 'size'> {
  episodes(): AsyncIterable<DolphinEpisode>
}

/**
 * Opens data in the form of Dolphin (COMEDY, Chen et al., section 2.2). The paper publishes no file, so this form is ours: JSON Lines, or
 * one JSON list, with one episode per entry. A turn of `dialogue` has a role, or the speaker's name as key. `memory` is a list of sentences,
 * or one text with `|` between them. `memory`, `portrait` and `tests` may be absent.
 *
 * ```json
 * {"id": "episode-1", "language": "zh", "user": "小周", "character": "阿霁",
 *  "sessions": [{"startedAt": "2024-01-05T20:00:00Z",
 *    "dialogue": [{"role": "agent", "text": "下班了？"}, {"小周": "嗯，今天加班到八点。"}],
 *    "memory": ["小周1月5日加班到八点。"]}],
 *  "portrait": {"user": "小周是上班族。", "relationship": "朋友。", "events": "1月5日加班。"},
 *  "tests": [{"startedAt": "2024-01-09T20:00:00Z", "dialogue": [{"role": "user", "text": "又加班。"}, {"role": "agent", "text": "辛苦了。"}]}]}
 * ```
 *
 * @throws DatasetError naming the file, entry and field.
 */
export async function openDolphin(file: string): Promise<OpenedDolphin> {
  const { source, language } = await openSource(file)
  return {
    name: 'dolphin',
    language,
    dataHash: source.dataHash,
    size: source.size,
    async *episodes() {
      for await (const record of source.records())
        yield buildEpisode(checkRecord(EpisodeSchema, file, record))
    },
  }
}

/** Opens Dolphin as a plain data set. The annotated memories become gold memories, which the data expects. */
export async function openDolphinTalk(file: string): Promise<OpenedDataset> {
  const { source, language } = await openSource(file)
  return streamConversations(source, {
    name: 'dolphin',
    language,
    schema: EpisodeSchema,
    build: (read): BenchConversation => {
      const { name, user, language: ownLanguage, sessions } = buildEpisode(read)
      return {
        name,
        person: name,
        user,
        language: ownLanguage,
        sessions,
        questions: [],
        ...gatherUnits(sessions, 'rounds'),
      }
    },
  })
}

async function openSource(file: string): Promise<{ source: RecordFile; language: 'en' | 'zh' }> {
  const source = await (file.endsWith('.jsonl') ? openJsonLines(file) : openJsonArray(file))
  const { language } = checkRecord(EpisodeSchema.pick({ language: true }), file, await readFirst(source))
  return { source, language }
}

function buildEpisode(read: ReadEpisode): DolphinEpisode {
  const { id, user, character, language, sessions, portrait, tests } = read
  const sentenceGap = language === 'zh' ? '' : ' '
  let turnCount = 0
  const testSessions = tests.map((test) => ({ ...test, memory: null }))
  const built = [...sessions, ...testSessions].map((session, index): DatasetSession => {
    // A session without a time gets a day of its own, from 5 January 2024 on.
    const start = session.startedAt ?? Date.UTC(2024, 0, 5 + index, 12)
    const turns = session.dialogue.map((turn, place): DatasetTurn => {
      const { role, text } = readTurn(turn, user)
      const speaker = role === 'user' ? user : character
      const at = start + place * TURN_GAP_MS
      return { id: opaqueId('t', ++turnCount), role, text, speaker, at, zone: ZONE }
    })
    return { id: opaqueId('s', index + 1), turns, ...goldOf(session.memory, index) }
  })
  const memories = sessions.map(({ memory }) => {
    const text = (memory ?? []).map((sentence) => sentence.trim()).join(sentenceGap)
    return text === '' ? null : text
  })
  return {
    name: id,
    user,
    character,
    language,
    sessions: built.slice(0, sessions.length),
    memories,
    portrait: portraitText(portrait),
    tests: built.slice(sessions.length),
  }
}

function readTurn(turn: ReadTurn, user: string): Pick<DatasetTurn, 'role' | 'text'> {
  if ('role' in turn && 'text' in turn)
    return { role: turn.role === 'user' ? 'user' : 'assistant', text: turn.text }
  const [[speaker, text] = ['', '']] = Object.entries(turn)
  return { role: speaker === user ? 'user' : 'assistant', text }
}

/** Makes gold memories of a session's annotated sentences. */
function goldOf(memory: readonly string[] | null | undefined, session: number): Pick<DatasetSession, 'gold'> {
  if (memory === null || memory === undefined) return {}
  const gold = memory
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text, index): GoldMemory => ({
      id: opaqueId('g', session * 1_000 + index + 1),
      text,
      type: null,
      source: 'annotated',
      isUpdate: false,
      replaces: [],
      importance: 1,
      turns: [],
    }))
  return { gold }
}

/** Joins the three parts of an annotated portrait. */
function portraitText(portrait: ReadEpisode['portrait']): string | null {
  if (portrait === null || portrait === undefined) return null
  if (typeof portrait === 'string') return portrait
  return [portrait.user, portrait.relationship, portrait.events]
    .filter((part) => part.trim() !== '')
    .join('\n')
}
