import type {
  BenchConversation,
  DatasetQuestion,
  DatasetSession,
  DatasetTurn,
} from '../datasets/conversation.ts'
import { seededDraw } from '../metrics/seeded-draw.ts'
import type { Probe } from './probe-table.ts'

export interface InsertProbesOptions {
  /** A whole number from 0 that decides the places of the probes. */
  readonly seed: number
}

/** The category of questions about probes. */
export const PROBE_TABLE = 'probe-table'

/** Inserts probes (planted facts) as user turns at random places (MOOM, appendix H). All turns get new ids. A probe has the time of a nearby turn. */
export function insertProbes(
  conversation: BenchConversation,
  table: readonly Probe[],
  { seed }: InsertProbesOptions,
): BenchConversation {
  const { sessions } = conversation
  const filled = sessions.filter(({ turns }) => turns.length > 0)
  if (filled.length === 0) throw new RangeError(`${conversation.name} has no turns to put probes between.`)
  const draw = seededDraw(seed)
  const bySession = new Map<string, Probe[]>()
  for (const [nth, probe] of draw.shuffled(table).entries()) {
    const session = filled[nth % filled.length]
    if (session !== undefined) bySession.set(session.id, [...(bySession.get(session.id) ?? []), probe])
  }
  const drafts = sessions.map((session) => {
    const turns = session.turns.map((turn): Draft => ({ turn, probe: null }))
    for (const probe of bySession.get(session.id) ?? []) {
      const places = turns.flatMap(({ turn, probe: existingProbe }, place) =>
        turn.role === 'user' && existingProbe === null ? [place] : [],
      )
      const place = draw.pick([...places, turns.length])
      const neighbour = turns[place - 1] ?? turns[place]
      if (neighbour !== undefined) turns.splice(place, 0, { turn: neighbour.turn, probe })
    }
    return { session, turns }
  })
  return renumber(conversation, drafts, table)
}

/** A turn of the new conversation before it has its id. */
interface Draft {
  /** For a probe: the nearby turn whose time and zone it takes. */
  readonly turn: DatasetTurn
  readonly probe: Probe | null
}

interface DraftSession {
  readonly session: DatasetSession
  readonly turns: readonly Draft[]
}

/** Gives all turns new ids, and replaces the old ids in questions, units and gold memories. */
function renumber(
  conversation: BenchConversation,
  drafts: readonly DraftSession[],
  table: readonly Probe[],
): BenchConversation {
  const { questions, unitOf, sessionOf } = conversation
  const speaker = speakerOf(conversation)
  const all = drafts.flatMap(({ turns }) => turns)
  const width = Math.max(5, String(all.length).length)
  const ids = new Map(all.map((draft, place) => [draft, `t${String(place).padStart(width, '0')}`]))
  const idOf = (draft: Draft): string => ids.get(draft) ?? ''
  const newIds = new Map(all.flatMap((one) => (one.probe === null ? [[one.turn.id, idOf(one)]] : [])))
  const name = (id: string): string => newIds.get(id) ?? id
  const planted = drafts.flatMap(({ session, turns }) =>
    turns.flatMap((one) =>
      one.probe === null ? [] : [{ ...one.probe, turn: idOf(one), session: session.id }],
    ),
  )
  const newSessions = drafts.map(({ session, turns }) => ({
    ...withNames(session, name),
    turns: turns.map((draft): DatasetTurn => {
      const { turn, probe } = draft
      const said = probe === null ? {} : { role: 'user' as const, speaker, text: probe.p }
      return { ...turn, ...said, id: idOf(draft) }
    }),
  }))
  return {
    ...conversation,
    sessions: newSessions,
    questions: [
      ...questions.map((question) => ({ ...question, evidence: question.evidence.map(name) })),
      ...questionsOf(conversation, table, new Map(planted.map(({ id, turn }) => [id, turn]))),
    ],
    unitOf: new Map([
      ...Array.from(unitOf, ([turn, unit]) => [name(turn), name(unit)] as const),
      ...planted.map(({ turn }) => [turn, turn] as const),
    ]),
    sessionOf: new Map([
      ...Array.from(sessionOf, ([unit, session]) => [name(unit), session] as const),
      ...planted.map(({ turn, session }) => [turn, session] as const),
    ]),
  }
}

/** Finds the speaker of the probes: the user, or the first speaker if two people talk (LoCoMo). */
function speakerOf({ user, sessions }: BenchConversation): string {
  const speakers = sessions.flatMap(({ turns }) =>
    turns.flatMap((one) => (one.role === 'user' ? [one.speaker] : [])),
  )
  return speakers.includes(user) ? user : (speakers[0] ?? user)
}

/** Renames the turns in expected memories and operations. */
function withNames(session: DatasetSession, name: (id: string) => string): DatasetSession {
  const { gold, operations } = session
  return {
    ...session,
    ...(gold && { gold: gold.map((one) => ({ ...one, turns: one.turns.map(name) })) }),
    ...(operations && { operations: operations.map((one) => ({ ...one, turn: name(one.turn) })) }),
  }
}

function questionsOf(
  { name, sessions }: BenchConversation,
  table: readonly Probe[],
  turnOf: ReadonlyMap<string, string>,
): DatasetQuestion[] {
  const askedAt = Math.max(...sessions.flatMap(({ turns }) => turns.map(({ at }) => at)))
  return table.map(({ id, q, a }) => ({
    id: `${name}/${PROBE_TABLE}/${id}`,
    text: q,
    askedAt,
    category: PROBE_TABLE,
    evidence: [turnOf.get(id) ?? ''],
    answerable: true,
    answer: a,
  }))
}
