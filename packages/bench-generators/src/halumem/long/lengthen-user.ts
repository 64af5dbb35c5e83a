import { estimateTokens } from 'keepsake'
import { z } from 'zod'
import { readTime } from '@keepsake/bench/parts'
import type { Draw } from '@keepsake/bench/parts'
import { publishedTime } from '../published-form.ts'
import type { Corpus, Exchange } from './corpus.ts'

const turnSchema = z.looseObject({
  role: z.string(),
  content: z.string(),
  timestamp: z.string().optional(),
})
const sessionSchema = z.looseObject({
  start_time: z.string().nullish(),
  end_time: z.string().nullish(),
  dialogue: z.array(turnSchema),
})

/** A line of a file in HaluMem's form, as far as lengthening needs it; all else is kept as it is. */
export const mediumUserSchema = z.looseObject({ uuid: z.string(), sessions: z.array(sessionSchema).min(2) })
export type MediumUser = z.infer<typeof mediumUserSchema>
type Session = z.infer<typeof sessionSchema>
type Turn = z.infer<typeof turnSchema>

/** How the published file writes a time. */
const TIME = 'Dec 15, 2025, 08:41:23'
/** Half goes into sessions, half between them: what the published script defaults to. The paper names no share. */
const SHARE_BETWEEN = 0.5

/**
 * A user's talk, lengthened by exchanges that have nothing to do with the person until it holds so many tokens (HaluMem, appendix A.4):
 * some within sessions, each at a random turn's end and with that turn's time; the others as sessions of their own between two others,
 * none longer than sessions are on average, flagged `is_generated_qa_session`, with nothing to remember and nothing asked.
 *
 * The published script gives inserted sessions times of a gap elsewhere in the talk; here they stand in the order of their times.
 *
 * @param tokens as Keepsake estimates them, all sessions together
 * @throws GenerateError when the corpus is too small
 */
export function lengthenUser(
  draw: Draw,
  user: MediumUser,
  { corpus, tokens }: { readonly corpus: Corpus; readonly tokens: number },
): MediumUser {
  const held = user.sessions.reduce((sum, session) => sum + tokensOf(session), 0)
  const drawn = held >= tokens ? [] : corpus.draw(draw, tokens - held)
  const within = drawn.slice(0, drawn.length - Math.round(drawn.length * SHARE_BETWEEN))
  const sessions = user.sessions.map((session) => ({ ...session, dialogue: [...session.dialogue] }))
  for (const exchange of within) insertExchange(draw, draw.pick(sessions), exchange)
  const average = held / user.sessions.length
  const between = gatherSessions(drawn.slice(within.length), average)
  return { ...user, sessions: insertSessions(draw, sessions.map(renumber), between) }
}

/** Tokens of a session's talk, as Keepsake estimates them. */
export function tokensOf({ dialogue }: Pick<Session, 'dialogue'>): number {
  return dialogue.reduce((sum, { content }) => sum + estimateTokens(content), 0)
}

function insertExchange(draw: Draw, { dialogue }: Session, exchange: Exchange): void {
  const ends = dialogue.flatMap(({ role }, place) => (role === 'user' ? [place] : []))
  const place = draw.pick([...ends, dialogue.length])
  const timestamp = (dialogue[place - 1] ?? dialogue[place])?.timestamp
  dialogue.splice(place, 0, ...turnsOf(exchange, timestamp))
}

function turnsOf({ user, agent }: Exchange, timestamp: string | undefined): Turn[] {
  const time = timestamp === undefined ? {} : { timestamp }
  return [
    { role: 'user', content: user, ...time },
    { role: 'assistant', content: agent, ...time },
  ]
}

/** In batches, each as long as a session at most, unless one exchange alone is longer. */
function gatherSessions(exchanges: readonly Exchange[], most: number): Exchange[][] {
  const sessions: Exchange[][] = []
  let held = 0
  for (const exchange of exchanges) {
    const open = sessions.at(-1)
    if (open === undefined || held + exchange.tokens > most) {
      sessions.push([exchange])
      held = exchange.tokens
    } else {
      open.push(exchange)
      held += exchange.tokens
    }
  }
  return sessions
}

/** Each between two of the person's own sessions, never before the first or after the last, at a time between theirs. */
function insertSessions(draw: Draw, own: readonly Session[], batches: readonly Exchange[][]): Session[] {
  const gaps = new Map<number, { readonly at: number; readonly batch: readonly Exchange[] }[]>()
  for (const batch of batches) {
    const gap = draw.whole(1, own.length - 1)
    const [from, to] = [endOf(own[gap - 1]), startOf(own[gap])]
    gaps.set(gap, [...(gaps.get(gap) ?? []), { at: draw.real(from, Math.max(from, to)), batch }])
  }
  return own.flatMap((session, place) => {
    const inserted = (gaps.get(place) ?? []).toSorted((a, b) => a.at - b.at)
    return [...inserted.map(({ at, batch }) => unrelatedSession(at, batch)), session]
  })
}

function unrelatedSession(at: number, batch: readonly Exchange[]): Session {
  const time = publishedTime(Math.round(at))
  return renumber({
    start_time: time,
    end_time: time,
    dialogue: batch.flatMap((exchange) => turnsOf(exchange, time)),
    memory_points: [],
    questions: [],
    is_generated_qa_session: true,
  })
}

/** Rounds counted anew, as the published file counts them: from 0, a user's turn begins one. */
function renumber(session: Session): Session {
  let round = -1
  const dialogue = session.dialogue.map((turn) => {
    if (turn.role === 'user' || round < 0) round += 1
    return { ...turn, dialogue_turn: round }
  })
  return { ...session, dialogue_turn_num: round + 1, dialogue }
}

function startOf(session: Session | undefined): number {
  return timeOf(session?.start_time ?? session?.dialogue[0]?.timestamp)
}

function endOf(session: Session | undefined): number {
  return timeOf(session?.end_time ?? session?.dialogue.at(-1)?.timestamp ?? session?.start_time)
}

function timeOf(time: string | null | undefined): number {
  return (typeof time === 'string' ? readTime(time, TIME) : null) ?? 0
}
