import type { AnnotatedTalk, TalkUnit } from './annotated-talk.ts'
import type { ForgettingSystem } from './forgetting-system.ts'

/** How many memories an answer may rest on: LUFY retrieves two. */
const HIT_AT = 2

/** What is counted at the end of one session, over everything kept and every question so far. */
export interface SessionScore {
  readonly talk: string
  readonly person: string
  readonly session: number
  readonly made: number
  readonly kept: number
  /** Share of the answerable questions so far with a correct unit kept. */
  readonly recall: number
  /** Share of the kept units that are correct for some question so far. */
  readonly precision: number
  /** Share of the answerable questions so far with a correct unit among the best two of what is kept. */
  readonly 'hit@2': number
  /** Share of the kept units marked important, mean over annotators; each annotator's marks of all sessions so far. */
  readonly agreement: number
}

/** Runs one person's talk through a system, session by session, and scores it after each. */
export async function scoreForgetting(
  system: ForgettingSystem,
  talk: AnnotatedTalk,
): Promise<SessionScore[]> {
  const run = await system.start()
  const scores: SessionScore[] = []
  try {
    for (let session = 1; session <= talk.sessions; session++) {
      for (const unit of talk.units) if (unit.session === session) await run.hear(unit)
      const kept = await run.endSession(session)
      if (session < talk.countsFrom) continue
      const rankings = new Map<string, readonly string[]>()
      for (const question of questionsSoFar(talk, session)) {
        rankings.set(question.text, await run.ask(question.text))
      }
      scores.push(scoreSession(talk, session, kept, rankings))
    }
  } finally {
    await run.close()
  }
  return scores
}

/** The figures of one session's end. Questions that no unit so far answers are left out of recall and hit@2. */
export function scoreSession(
  talk: AnnotatedTalk,
  session: number,
  kept: ReadonlySet<string>,
  rankings: ReadonlyMap<string, readonly string[]>,
): SessionScore {
  const units = talk.units.filter((unit) => unit.session <= session)
  const made = new Set(units.map((unit) => unit.id))
  const held = units.filter((unit) => kept.has(unit.id))
  const questions = questionsSoFar(talk, session)
    .map(({ text, correct }) => ({ text, correct: new Set([...correct].filter((id) => made.has(id))) }))
    .filter(({ correct }) => correct.size > 0)
  const isCorrect = (unit: TalkUnit): boolean => questions.some(({ correct }) => correct.has(unit.id))
  return {
    talk: talk.name,
    person: talk.person,
    session,
    made: units.length,
    kept: held.length,
    recall: shareOf(questions, ({ correct }) => [...correct].some((id) => kept.has(id))),
    precision: shareOf(held, isCorrect),
    'hit@2': shareOf(questions, ({ text, correct }) =>
      (rankings.get(text) ?? []).slice(0, HIT_AT).some((id) => correct.has(id)),
    ),
    agreement: agreementOf(held),
  }
}

function questionsSoFar(talk: AnnotatedTalk, session: number) {
  return talk.questions.filter((question) => question.session <= session)
}

function agreementOf(held: readonly TalkUnit[]): number {
  const annotators = held[0]?.marked.length ?? 0
  let sum = 0
  for (let a = 0; a < annotators; a++) sum += shareOf(held, (unit) => unit.marked[a] === true)
  return sum / annotators
}

/** NaN of nothing: such a session is left out of a mean, not counted as a failure or a success. */
function shareOf<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return items.filter(holds).length / items.length
}

/** How far people agree: per session, share of one annotator's marks that another made too, mean over both ways. */
export function agreementAmongPeople(talk: AnnotatedTalk): number[] {
  const agreements: number[] = []
  for (let session = talk.countsFrom; session <= talk.sessions; session++) {
    const units = talk.units.filter((unit) => unit.session === session)
    const annotators = units[0]?.marked.length ?? 0
    for (let a = 0; a < annotators; a++) {
      const marked = units.filter((unit) => unit.marked[a] === true)
      for (let b = 0; b < annotators; b++) {
        if (a !== b && marked.length > 0) agreements.push(shareOf(marked, (unit) => unit.marked[b] === true))
      }
    }
  }
  return agreements
}
