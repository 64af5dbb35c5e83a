import type { BenchConversation, DatasetQuestion } from '../../datasets/conversation.ts'
import type { Verdict } from '../../judges/judge.ts'
import { insertProbes, PROBE_TABLE } from '../../probe-table/insert-probes.ts'
import { readProbeTable } from '../../probe-table/probe-table.ts'
import { withDay } from '../../text/day-mark.ts'
import { answerOverlap } from './answer-overlap.ts'
import { askTool, attempt, entryOf, type ConversationRun } from './conversation-run.ts'

/** The seed of the places. It is fixed, so that planted facts are at the same places for every system and measurement. */
const SEED = 20_251_101

/**
 * Adds the probe table to a conversation: facts that are planted in the talk, and questions about them (MOOM paper, appendix H).
 */
export function withProbeTable(conversation: BenchConversation, language: 'en' | 'zh'): BenchConversation {
  return insertProbes(conversation, readProbeTable(language), { seed: SEED })
}

/** Reports whether a question is from the probe table. Such questions are measured by {@link measureReply} only. */
export function isProbeTableQuestion({ category }: DatasetQuestion): boolean {
  return category === PROBE_TABLE
}

/** Judges the reply to a question of the probe table from 0 to 5 (MOOM, appendix H). The reader sees memories, but no dialogue as in the paper. */
export async function measureReply(
  run: ConversationRun,
  question: DatasetQuestion,
  limit: number,
): Promise<void> {
  const { text, answer: reference = '', askedAt, id } = question
  const options = { limit, at: askedAt, tokens: run.contextTokens }
  const retrieval = await attempt(() => run.memory.retrieve(text, options))
  const { context = '', memories = [] } = retrieval.value ?? {}
  const retrieved = memories.map(withDay)
  let reply = ''
  let judged: Verdict<number> = { verdict: 0, reason: retrieval.failure ?? '' }
  if (retrieval.failure === null) {
    const reading = await askTool(run, `reply to probe ${id}`, () =>
      run.reader.answer({ question: text, askedAt, context, memories: retrieved }),
    )
    if (reading === null) return
    reply = reading.answer
    const verdict = await askTool(run, `verdict on probe ${id}`, () =>
      run.judge.reply({ question: text, reference, reply }),
    )
    if (verdict === null) return
    judged = verdict
  }
  run.write({
    entry: 'reply',
    ...entryOf(run),
    question: id,
    text,
    reference,
    reply,
    score: judged.verdict,
    reason: judged.reason,
    overlap: await answerOverlap(run, reply, reference),
    retrieved,
    context,
    failure: retrieval.failure,
  })
}
