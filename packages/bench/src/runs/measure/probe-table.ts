import type { BenchConversation, DatasetQuestion } from '../../datasets/conversation.ts'
import { insertProbes, PROBE_TABLE } from '../../probe-table/insert-probes.ts'
import { readProbeTable } from '../../probe-table/probe-table.ts'
import { withDay } from '../../text/day-mark.ts'
import { answerOverlap } from './answer-overlap.ts'
import { askOutside, attempt, entryOf, type Measuring } from './measuring.ts'

/** The same places for every system, whatever is measured beside it. */
const SEED = 20_251_101

/** The conversation with the probe table's words said in it and its questions asked after it (MOOM, appendix H). */
export function withProbeTable(conversation: BenchConversation, language: 'en' | 'zh'): BenchConversation {
  return insertProbes(conversation, readProbeTable(language), { seed: SEED })
}

/** Whether a question is one of the probe table's: it is then put in no other way. */
export function isOfProbeTable({ category }: DatasetQuestion): boolean {
  return category === PROBE_TABLE
}

/**
 * Has the reader reply to a question of the probe table from what was retrieved, and the judge hold the reply against what a person
 * who remembers would say, from 0 to 5 (MOOM, appendix H). The paper adds “limited dialogue context” and does not say how much: here
 * the reader has what was retrieved and nothing else, so that only the memory can know.
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
  const found = await attempt(() => measuring.memory.retrieve(text, options))
  const { context = '', memories = [] } = found.value ?? {}
  const retrieved = memories.map(withDay)
  const read =
    found.failure === null
      ? await askOutside(measuring, `reply to probe ${id}`, () =>
          measuring.reader.answer({ question: text, askedAt, context, memories: retrieved }),
        )
      : { answer: '' }
  if (read === null) return
  const { answer: reply } = read
  const judged =
    found.failure === null
      ? await askOutside(measuring, `verdict on probe ${id}`, () =>
          measuring.judge.reply({ question: text, reference, reply }),
        )
      : { verdict: 0, reason: found.failure }
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
    failure: found.failure,
  })
}
