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
const TURN_MS = 20_000

const TimeField = timeField('2026-01-05T09:00:00Z')

/** A turn by its role; or, as in the paper's example, the speaker's name before the words. */
const TurnSchema = z.union([
  z.object({ role: TurnRoleField, text: z.string() }),
  z
    .record(z.string(), z.string())
    .refine((turn) => Object.keys(turn).length === 1, 'should have one speaker'),
])

/** Sentences, or the paper's text with `|` between them. */
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

type ReadEpisode = z.output<typeof EpisodeSchema>
type ReadTurn = z.output<typeof TurnSchema>

/** An episode of Dolphin: earlier sessions, their annotations, and the test sessions. */
export interface DolphinEpisode {
  readonly name: string
  readonly user: string
  readonly character: string
  readonly language: 'en' | 'zh'
  readonly sessions: readonly DatasetSession[]
  /** Each session's annotated memory (task 1); `null` without one. */
  readonly memories: readonly (string | null)[]
  /** The annotated compressive memory (task 2). */
  readonly portrait: string | null
  /** Sessions in which the agent must reply (task 3). */
  readonly tests: readonly DatasetSession[]
}

export interface OpenedDolphin extends Pick<OpenedDataset, 'name' | 'language' | 'dataHash' | 'size'> {
  episodes(): AsyncIterable<DolphinEpisode>
}

/**
 * Data in the form of Dolphin (Chen et al., section 2.2). The paper publishes no file, so the form is ours: JSON Lines, or one
 * JSON list, an episode an entry. `dialogue` is of turns by role, or as in the paper's example of one name and its words each;
 * `memory` is of sentences, or of one text with `|` between them; references may be absent.
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
      for await (const record of source.records()) yield episodeOf(checkRecord(EpisodeSchema, file, record))
    },
  }
}

/** Dolphin as a plain data set: sessions with the annotated memories as gold. */
export async function openDolphinTalk(file: string): Promise<OpenedDataset> {
  const { source, language } = await openSource(file)
  return streamConversations(source, {
    name: 'dolphin',
    language,
    schema: EpisodeSchema,
    build: (read): BenchConversation => {
      const { name, user, language: of, sessions } = episodeOf(read)
      return {
        name,
        person: name,
        user,
        language: of,
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

function episodeOf({
  id,
  user,
  character,
  language,
  sessions,
  portrait,
  tests,
}: ReadEpisode): DolphinEpisode {
  let made = 0
  const all = [...sessions, ...tests.map((test) => ({ ...test, memory: null }))].map(
    (session, at): DatasetSession => {
      const start = session.startedAt ?? Date.UTC(2024, 0, 5 + at, 12)
      const turns = session.dialogue.map((turn, place): DatasetTurn => {
        const said = saidBy(turn, user)
        const speaker = said.role === 'user' ? user : character
        return { id: opaqueId('t', ++made), ...said, speaker, at: start + place * TURN_MS, zone: ZONE }
      })
      return { id: opaqueId('s', at + 1), turns, ...goldOf(session.memory, at) }
    },
  )
  return {
    name: id,
    user,
    character,
    language,
    sessions: all.slice(0, sessions.length),
    memories: sessions.map(
      ({ memory }) => (memory ?? []).map((one) => one.trim()).join(language === 'zh' ? '' : ' ') || null,
    ),
    portrait: textOf(portrait),
    tests: all.slice(sessions.length),
  }
}

function saidBy(turn: ReadTurn, user: string): Pick<DatasetTurn, 'role' | 'text'> {
  if ('role' in turn && 'text' in turn)
    return { role: turn.role === 'user' ? 'user' : 'assistant', text: turn.text }
  const [[speaker, text] = ['', '']] = Object.entries(turn)
  return { role: speaker === user ? 'user' : 'assistant', text }
}

function goldOf(memory: readonly string[] | null | undefined, session: number): Pick<DatasetSession, 'gold'> {
  if (memory === null || memory === undefined) return {}
  const gold = memory
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text, at): GoldMemory => ({
      id: opaqueId('g', session * 1_000 + at + 1),
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

function textOf(portrait: ReadEpisode['portrait']): string | null {
  if (portrait === null || portrait === undefined) return null
  if (typeof portrait === 'string') return portrait
  return [portrait.user, portrait.relationship, portrait.events]
    .filter((part) => part.trim() !== '')
    .join('\n')
}
