import type { BenchConversation, DatasetQuestion } from '../../datasets/conversation.ts'
import type { RetrievalEntry } from '../../log/log-entry.ts'
import { hitAt, ndcgAt, recallAt, reciprocalRank } from '../../metrics/ranking-metrics.ts'
import type { Retrieved } from '../../systems/memory-system.ts'

const CUTS = [1, 2, 5, 10, 30] as const
const SESSION_CUTS = [1, 5, 10] as const

/** What is judged of what was retrieved: turns, best first. */
type Ranked = Pick<Retrieved, 'sessions'> & { readonly turns: readonly { readonly id: string }[] }

/** Judges one retrieval. Turns are expanded to units in score order and deduplicated before they are cut. */
export function judgeRecall(
  conversation: BenchConversation,
  question: DatasetQuestion,
  { turns, sessions }: Ranked,
): Pick<RetrievalEntry, 'units' | 'evidence' | 'scores'> {
  const units = [...new Set(turns.map(({ id }) => conversation.unitOf.get(id) ?? id))]
  const evidence = new Set(question.evidence)
  return {
    units: units.slice(0, Math.max(...CUTS)),
    evidence: question.evidence,
    scores: evidence.size === 0 ? null : scoreUnits(conversation, units, evidence, sessions),
  }
}

function scoreUnits(
  conversation: BenchConversation,
  units: readonly string[],
  evidence: ReadonlySet<string>,
  ownSessions: readonly string[] | null,
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
