import type { ForgettingTalk, TalkQuestion, TalkUnit } from './forgetting-talk.ts'
import type { ForgettingSystem } from './forgetting-system.ts'

/** The number of memories that an answer may use. LUFY retrieves two. */
const HIT_CUTOFF = 2

/** The scores at the end of one session, over kept units and all questions so far. Means leave out `null` values. */
export interface SessionScore {
  readonly talk: string
  readonly person: string
  readonly session: number
  readonly made: number
  readonly kept: number
  /** The share of answerable questions for which some correct unit is kept. */
  readonly recall: number | null
  /** The share of answerable questions for which every correct unit is kept. `null`: the data set does not name the correct units. */
  readonly recall_all: number | null
  /** The share of kept units that are correct for some question. */
  readonly precision: number | null
  /** The share of answerable questions with a correct unit among the first two results. */
  readonly 'hit@2': number | null
  /** The share of kept units that annotators marked as important, averaged over annotators. `null` without annotations. */
  readonly agreement: number | null
}

/** Runs one person's talk through a system and scores it after each session. */
export async function scoreForgetting(
  system: ForgettingSystem,
  talk: ForgettingTalk,
): Promise<SessionScore[]> {
  const run = await system.start(talk)
  const scores: SessionScore[] = []
  try {
    for (let session = 1; session <= talk.sessions; session++) {
      for (const unit of talk.units) if (unit.session === session) await run.hear(unit)
      const kept = await run.endSession(session)
      if (session < talk.countsFrom) continue
      const rankings = new Map<string, readonly string[]>()
      for (const { text, correct } of questionsSoFar(talk, session)) {
        // Other questions cannot be answered, so they are not asked.
        if (containsAny(correct, kept)) rankings.set(text, await run.ask(text))
      }
      scores.push(scoreSession(talk, session, kept, rankings))
    }
  } finally {
    await run.close()
  }
  return scores
}

/** Scores the end of a session. `rankings` are the units that were found for each question. Questions without a correct unit so far are left out. */
export function scoreSession(
  talk: ForgettingTalk,
  session: number,
  kept: ReadonlySet<string>,
  rankings: ReadonlyMap<string, readonly string[]>,
): SessionScore {
  const units = talk.units.filter((unit) => unit.session <= session)
  const made = new Set(units.map((unit) => unit.id))
  const keptUnits = units.filter((unit) => kept.has(unit.id))
  const questions = questionsSoFar(talk, session)
    .map(({ text, correct }) => ({ text, correct: correct.intersection(made) }))
    .filter(({ correct }) => correct.size > 0)
  const correctUnits = new Set(questions.flatMap(({ correct }) => [...correct]))
  return {
    talk: talk.name,
    person: talk.person,
    session,
    made: units.length,
    kept: keptUnits.length,
    recall: shareOf(questions, ({ correct }) => containsAny(correct, kept)),
    recall_all:
      talk.evidence === 'named' ? shareOf(questions, ({ correct }) => correct.isSubsetOf(kept)) : null,
    precision: questions.length === 0 ? null : shareOf(keptUnits, (unit) => correctUnits.has(unit.id)),
    'hit@2': shareOf(questions, ({ text, correct }) =>
      (rankings.get(text) ?? []).slice(0, HIT_CUTOFF).some((id) => correct.has(id)),
    ),
    agreement: agreementOf(keptUnits),
  }
}

function questionsSoFar(talk: ForgettingTalk, session: number): TalkQuestion[] {
  return talk.questions.filter((question) => question.session <= session)
}

function containsAny(correct: ReadonlySet<string>, kept: ReadonlySet<string>): boolean {
  return !correct.isDisjointFrom(kept)
}

/** Averages over annotators which share of the kept units they marked. */
function agreementOf(keptUnits: readonly TalkUnit[]): number | null {
  const annotators = keptUnits[0]?.marked.length ?? 0
  if (annotators === 0) return null
  let sum = 0
  for (let annotator = 0; annotator < annotators; annotator++)
    sum += shareOf(keptUnits, (unit) => unit.marked[annotator] === true) ?? 0
  return sum / annotators
}

function shareOf<T>(items: readonly T[], matches: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter(matches).length / items.length
}

/** Computes, for each session and each ordered pair of annotators, the share of one's marks that the other made too. */
export function agreementAmongPeople(talk: ForgettingTalk): number[] {
  const agreements: number[] = []
  for (let session = talk.countsFrom; session <= talk.sessions; session++) {
    const units = talk.units.filter((unit) => unit.session === session)
    const annotators = units[0]?.marked.length ?? 0
    for (let a = 0; a < annotators; a++) {
      const marked = units.filter((unit) => unit.marked[a] === true)
      for (let b = 0; b < annotators; b++) {
        const both = a === b ? null : shareOf(marked, (unit) => unit.marked[b] === true)
        if (both !== null) agreements.push(both)
      }
    }
  }
  return agreements
}
