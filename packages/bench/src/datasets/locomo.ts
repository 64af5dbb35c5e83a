import { basename } from 'node:path'
import { z } from 'zod'
import { checkRecord } from './check-record.ts'
import type {
  BenchConversation,
  Dataset,
  DatasetQuestion,
  DatasetSession,
  GoldMemory,
} from './conversation.ts'
import { DatasetError } from './dataset-error.ts'
import { gatherUnits } from './gather-units.ts'
import { opaqueId } from './opaque-id.ts'
import { hashFiles, readJson } from './read-input.ts'
import { readTime } from './read-time.ts'

const ZONE = 'UTC'
/** The gap between turns, which keeps their order. The published file gives only a time for each session. */
const TURN_GAP_MS = 1_000
/** An example of the published form of times. */
const TIME = '1:56 pm on 8 May, 2023'
/** Matches a turn's id, such as `D3:11`. */
const EVIDENCE_ID = /D\d+:\d+/g
/** The number of the category whose questions nothing answers. */
const ADVERSARIAL = 5
/** The names of categories 1 to 5. */
const CATEGORIES = ['multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial']

const TurnSchema = z.object({
  speaker: z.string(),
  text: z.string(),
  dia_id: z.string(),
  blip_caption: z.string().nullish(),
})

/** A statement, and the turn or turns on which it rests. */
const ObservationSchema = z.tuple([z.string(), z.union([z.string(), z.array(z.string())])])

const SampleSchema = z.object({
  sample_id: z.string().nullish(),
  /** `session_1`, `session_1_date_time`, `session_2`, … */
  conversation: z.looseRecord(z.templateLiteral(['session_', z.int()]), z.array(TurnSchema)).and(
    z.looseRecord(
      z.templateLiteral(['session_', z.int(), '_date_time']),
      z.string().refine((text) => readTime(text, TIME) !== null, `should read like “${TIME}”`),
    ),
  ),
  /** Observations about each speaker with their turns. The keys are such as `session_1_observation`. */
  observation: z.record(z.string(), z.record(z.string(), z.array(ObservationSchema))).nullish(),
  /** Events of each speaker, and `date`. The keys are such as `events_session_1`. */
  event_summary: z
    .record(z.string(), z.record(z.string(), z.union([z.array(z.string()), z.string()])))
    .nullish(),
  qa: z.array(
    z.object({
      question: z.string(),
      category: z.number(),
      evidence: z.array(z.string()).nullish(),
      answer: z.union([z.string(), z.number()], 'should be a string or a number').transform(String).nullish(),
    }),
  ),
})

type Sample = z.infer<typeof SampleSchema>

/**
 * Loads LoCoMo's published file: long talks of two people, with questions.
 *
 * - The text of a turn is its utterance, followed by the caption of its image.
 * - Both speakers are remembered, so both have the role `user`, and their names.
 * - Evidence, the turns that answer a question, is every existing `D<n>:<m>` of the evidence strings. A question without evidence is left
 *   out and counted.
 * - Questions of category 5 are not answerable and get no reference. A few have an `answer`, but it only denies a premise.
 * - Observations and event summaries of a session become labels of what is worth remembering, as in the MOOM paper (appendix G). Like the
 *   paper, this leaves out session summaries, which are long.
 *
 * @throws DatasetError naming the file and the problem
 */
export async function loadLocomo(file: string, { hasCaptions = true } = {}): Promise<Dataset> {
  const data = await readJson(file)
  if (!Array.isArray(data)) throw new DatasetError(file, 'should hold a list of conversations')
  const leftOut = { noEvidence: 0 }
  const conversations = data.map((value: unknown, index) => {
    const where = `conversation ${index}`
    const read = checkRecord(SampleSchema, file, { where, value })
    const built = buildConversation(hasCaptions ? read : withoutCaptions(read), index, leftOut)
    if (built.sessions.length === 0) throw new DatasetError(file, `${where} has no turns`)
    return built
  })
  const dataHash = await hashFiles([{ name: basename(file), path: file }])
  return { name: 'locomo', dataHash, conversations, leftOut }
}

function withoutCaptions({ conversation, ...sample }: Sample): Sample {
  const plain = Object.entries(conversation).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((turn) => ({ ...turn, blip_caption: null })) : value,
  ])
  return { ...sample, conversation: Object.fromEntries(plain) }
}

function buildConversation(
  sample: Sample,
  index: number,
  leftOut: { noEvidence: number },
): BenchConversation {
  const name = sample.sample_id ?? `locomo-${index}`
  const idOf = new Map<string, string>()
  const sessions = buildSessions(sample, idOf)
  const askedAt = sessions.at(-1)?.turns.at(-1)?.at ?? 0
  const questions = sample.qa.map((entry, number): DatasetQuestion => {
    const answerable = entry.category !== ADVERSARIAL
    const publishedIds = new Set(entry.evidence?.join(' ').match(EVIDENCE_ID))
    const evidence = [...publishedIds].flatMap((publishedId) => idOf.get(publishedId) ?? [])
    return {
      id: `q${number}`,
      text: entry.question,
      askedAt,
      category: CATEGORIES[entry.category - 1] ?? String(entry.category),
      evidence: answerable ? evidence : [],
      answerable,
      ...(answerable && typeof entry.answer === 'string' ? { answer: entry.answer } : {}),
    }
  })
  const scored = questions.filter(({ answerable, evidence }) => !answerable || evidence.length > 0)
  leftOut.noEvidence += questions.length - scored.length
  return { name, person: name, user: name, sessions, questions: scored, ...gatherUnits(sessions, 'turns') }
}

function buildSessions(
  { conversation, observation, event_summary: events }: Sample,
  idOf: Map<string, string>,
): DatasetSession[] {
  const sessions: DatasetSession[] = []
  let labelCount = 0
  for (let n = 1; `session_${n}_date_time` in conversation; n++) {
    const startsAt = readTime(conversation[`session_${n}_date_time`] ?? '', TIME) ?? 0
    const turns = (conversation[`session_${n}`] ?? []).map((turn, place) => {
      const id = opaqueId('t', idOf.size)
      idOf.set(turn.dia_id, id)
      const text = turn.text + (turn.blip_caption ? `\n${turn.blip_caption}` : '')
      const at = startsAt + place * TURN_GAP_MS
      return { id, role: 'user' as const, speaker: turn.speaker, text, at, zone: ZONE }
    })
    const labels = labelsOf({ observation, event_summary: events }, n, (dia) => idOf.get(dia))
    const gold = labels.map((label) => ({ ...label, id: opaqueId('g', labelCount++) }))
    if (turns.length > 0) sessions.push({ id: opaqueId('s', n), turns, ...(gold.length > 0 ? { gold } : {}) })
  }
  return sessions
}

/** Lists the labels of a session for both speakers: statements that annotators found worth remembering. */
function labelsOf(
  { observation, event_summary: events }: Pick<Sample, 'observation' | 'event_summary'>,
  session: number,
  turnOf: (dia: string) => string | undefined,
): Omit<GoldMemory, 'id'>[] {
  // LoCoMo gives neither type nor importance, and calls nothing an update.
  const base = { type: null, source: 'annotated', isUpdate: false, replaces: [], importance: 1 } as const
  const observations = Object.values(observation?.[`session_${session}_observation`] ?? {}).flat()
  const eventFields = Object.values(events?.[`events_session_${session}`] ?? {})
  // The `date` of an event summary is a text among the speakers' lists.
  const eventTexts = eventFields.filter((field) => Array.isArray(field)).flat()
  return [
    ...observations.map(([text, evidence]) => ({
      ...base,
      text,
      kind: 'observation',
      turns: [evidence].flat().flatMap((publishedId) => turnOf(publishedId) ?? []),
    })),
    ...eventTexts.map((text) => ({ ...base, text, kind: 'event-summary', turns: [] })),
  ]
}
