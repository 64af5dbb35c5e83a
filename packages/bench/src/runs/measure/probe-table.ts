import type { BenchConversation, DatasetQuestion } from '../../datasets/conversation.ts'
import { insertProbes, PROBE_TABLE } from '../../probe-table/insert-probes.ts'
import { readProbeTable } from '../../probe-table/probe-table.ts'
import { withDay } from '../../text/day-mark.ts'
import { answerOverlap } from './answer-overlap.ts'
import { askTool, attempt, entryOf, type Measuring } from './measuring.ts'

/** The same places for every system and measurement. */
const SEED = 20_251_101

/** Adds the probe table's words and questions to a conversation (MOOM, appendix H). */
export function withProbeTable(conversation: BenchConversation, language: 'en' | 'zh'): BenchConversation {
  return insertProbes(conversation, readProbeTable(language), { seed: SEED })
}

/** Whether a question is from the probe table: it is then asked in no other way. */
export function isOfProbeTable({ category }: DatasetQuestion): boolean {
  return category === PROBE_TABLE
}

/**
 * Lets the reader reply to a probe-table question from the retrieved memories, and the judge compare the reply with its reference, from 0
 * to 5 (MOOM, appendix H). The paper adds “limited dialogue context” of unknown size; here the reader has nothing else, so that only the
 * memory can know.
 *
 * @param limit memories retrieved for it
 */
export async function measureReply(
  measuring: Measuring,
  question: DatasetQuestion,
  limit: number,
): Promise<void> {
  const { text, answer: reference = '', askedAt, id } = question
  const options = { limit, at: askedAt, tokens: measuring.contextTokens }
  const retrieval = await attempt(() => measuring.memory.retrieve(text, options))
  const { context = '', memories = [] } = retrieval.value ?? {}
  const retrieved = memories.map(withDay)
  const read =
    retrieval.failure === null
      ? await askTool(measuring, `reply to probe ${id}`, () =>
          measuring.reader.answer({ question: text, askedAt, context, memories: retrieved }),
        )
      : { answer: '' }
  if (read === null) return
  const { answer: reply } = read
  const judged =
    retrieval.failure === null
      ? await askTool(measuring, `verdict on probe ${id}`, () =>
          measuring.judge.reply({ question: text, reference, reply }),
        )
      : { verdict: 0, reason: retrieval.failure }
  if (judged === null) return
  measuring.write({
    entry: 'reply',
    ...entryOf(measuring),
    question: id,
    text,
    reference,
    reply,
    score: judged.verdict,
    reason: judged.reason,
    overlap: await answerOverlap(measuring, reply, reference),
    retrieved,
    context,
    failure: retrieval.failure,
  })
}
