import type { BenchConversation, DatasetQuestion } from '../datasets/conversation.ts'
import { hitAt, ndcgAt, recallAt, reciprocalRank } from '../metrics/ranking-metrics.ts'
import type { SystemRecall } from './system.ts'

/** A question's line in the log. */
export interface QuestionOutcome {
  readonly conversation: string
  readonly person: string
  readonly question: string
  readonly category: string
  readonly answerable: boolean
  readonly confidence: number
  readonly milliseconds: number
  /** Units found, best first, as far as they were asked for. */
  readonly units: readonly string[]
  readonly evidence: readonly string[]
  /** Metrics of this question; absent where nothing answers it. */
  readonly scores: Readonly<Record<string, number>> | null
  /** Why the system failed on it, if it did. It then scores zero. */
  readonly failure: string | null
}

const CUTS = [1, 2, 5, 10, 30] as const
const SESSION_CUTS = [1, 5, 10] as const

/** Judges one answer. Turns are expanded to units in score order and deduplicated before they are cut. */
export function judgeRecall(
  conversation: BenchConversation,
  question: DatasetQuestion,
  recall: SystemRecall,
  milliseconds: number,
  failure: string | null,
): QuestionOutcome {
  const units = [...new Set(recall.turns.map(({ id }) => conversation.unitOf.get(id) ?? id))]
  const evidence = new Set(question.evidence)
  return {
    conversation: conversation.name,
    person: conversation.person,
    question: question.id,
    category: question.category,
    answerable: question.answerable,
    confidence: recall.confidence,
    milliseconds,
    units: units.slice(0, Math.max(...CUTS)),
    evidence: question.evidence,
    scores: evidence.size === 0 ? null : scoreUnits(conversation, units, evidence, recall.sessions),
    failure,
  }
}

function scoreUnits(
  conversation: BenchConversation,
  units: readonly string[],
  evidence: ReadonlySet<string>,
  ownSessions: readonly string[] | undefined,
): Record<string, number> {
  const scores: Record<string, number> = {}
  for (const k of CUTS) {
    scores[`hit@${k}`] = hitAt(k, units, evidence)
    scores[`recall@${k}`] = recallAt(k, units, evidence)
  }
  scores['ndcg@10'] = ndcgAt(10, units, evidence)
  scores['mrr'] = reciprocalRank(units, evidence)
  const sessionOf = (unit: string): string => conversation.sessionOf.get(unit) ?? ''
  const sessions = ownSessions ?? [...new Set(units.map(sessionOf))]
  const wanted = new Set([...evidence].map(sessionOf))
  for (const k of SESSION_CUTS) {
    if (k >= conversation.sessions.length) continue
    scores[`session_hit@${k}`] = hitAt(k, sessions, wanted)
    scores[`session_recall@${k}`] = recallAt(k, sessions, wanted)
  }
  return scores
}
