import { z } from 'zod'
import type { BenchConversation, DatasetSession, DatasetTurn, OpenedDataset } from './conversation.ts'
import { gatherUnits } from './gather-units.ts'
import { opaqueIds } from './opaque-id.ts'
import { timeField } from './read-time.ts'
import { openJsonArray } from './record-file.ts'
import { streamConversations } from './stream-conversations.ts'

const ZONE = 'UTC'
const USER = 'user'
/** The gap between turns, which keeps their order. The published file gives only a time for each session. */
const TURN_GAP_MS = 1_000

const TimeField = timeField('2023/05/20 (Sat) 02:21')

const TurnSchema = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  has_answer: z.boolean().nullish(),
})

const EntrySchema = z.object({
  question_id: z.string(),
  question_type: z.string(),
  question: z.string(),
  answer: z.union([z.string(), z.number()], 'should be a string or a number').transform(String),
  question_date: TimeField,
  haystack_session_ids: z.array(z.string()),
  haystack_dates: z.array(TimeField),
  haystack_sessions: z.array(z.array(TurnSchema)).min(1, 'should have a session'),
  answer_session_ids: z.array(z.string()),
})

type PublishedQuestion = z.infer<typeof EntrySchema>

/**
 * Opens LongMemEval (Wu et al. 2024), oracle, S or M, as released. The file is one JSON list. Each item is a question with its own haystack,
 * the sessions in which its answer is hidden. Items are read one by one, because M has some 2.7 GB. Each becomes one conversation.
 *
 * - Sessions are sorted by date. Empty turns and empty sessions are dropped.
 * - A unit is a turn. Evidence is the turns with `has_answer`. A question without such a turn counts by answer only.
 * - A question whose id ends in `_abs` is about what was never said, so it is not answerable.
 * - The published ids reveal the answer (`…_abs`, `answer_…`), so no system sees them. Conversations are called `question 1` and so on.
 *
 * @throws DatasetError naming the file, item (from 0) and field.
 */
export async function openLongMemEval(file: string): Promise<OpenedDataset> {
  return streamConversations(await openJsonArray(file), {
    name: 'longmemeval',
    language: 'en',
    schema: EntrySchema.superRefine(checkHaystack),
    build: buildConversation,
  })
}

/** Checks that there are as many dates and ids as sessions, that answer sessions exist, and that some turn has text. */
function checkHaystack(entry: PublishedQuestion, context: z.RefinementCtx<PublishedQuestion>): void {
  const { haystack_session_ids: ids, haystack_dates: dates, haystack_sessions: talks } = entry
  const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
  if (ids.length !== talks.length || dates.length !== talks.length) {
    const counts = `${ids.length} ids and ${dates.length} dates`
    refuse(['haystack_sessions'], `has ${talks.length} sessions, and there are ${counts}`)
  }
  for (const [place, id] of entry.answer_session_ids.entries()) {
    if (!ids.includes(id)) refuse(['answer_session_ids', place], 'names no session of the haystack')
  }
  if (talks.flat().every(({ content }) => content.trim() === ''))
    refuse(['haystack_sessions'], 'has no turn in it')
}

function buildConversation(entry: PublishedQuestion, index: number): BenchConversation {
  const sessions: DatasetSession[] = []
  const evidence: string[] = []
  const nextId = opaqueIds()
  for (const { startsAt, turns } of orderSessions(entry)) {
    const id = nextId('s')
    const built = turns.map((turn, place): DatasetTurn => {
      const turnId = nextId('t')
      if (turn.has_answer === true) evidence.push(turnId)
      const role = turn.role === 'user' ? 'user' : 'assistant'
      const at = startsAt + place * TURN_GAP_MS
      return { id: turnId, role, speaker: turn.role, text: turn.content, at, zone: ZONE }
    })
    sessions.push({ id, turns: built })
  }
  const name = `question ${index + 1}`
  const answerable = !entry.question_id.endsWith('_abs')
  const question = {
    id: nextId('q'),
    text: entry.question,
    askedAt: entry.question_date,
    category: entry.question_type,
    evidence: answerable ? evidence : [],
    answerable,
    answer: entry.answer,
  }
  return {
    name,
    person: name,
    user: USER,
    sessions,
    questions: [question],
    ...gatherUnits(sessions, 'turns'),
  }
}

function orderSessions(entry: PublishedQuestion) {
  const { haystack_dates: dates, haystack_sessions: talks } = entry
  return talks
    .map((turns, place) => ({
      startsAt: dates[place] ?? 0,
      turns: turns.filter(({ content }) => content.trim() !== ''),
    }))
    .filter(({ turns }) => turns.length > 0)
    .toSorted((a, b) => a.startsAt - b.startsAt)
}
