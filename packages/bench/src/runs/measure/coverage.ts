import { estimateTokens } from 'keepsake'
import type { DatasetQuestion } from '../../datasets/conversation.ts'
import { COVERAGE_BUDGETS, type CoveredContext } from '../../log/log-entry.ts'
import { compareContent } from '../../text/compare-content.ts'
import { readContent } from '../../text/read-content.ts'
import { askOutside, attempt, entryOf, type Measuring } from './measuring.ts'

/** Memories asked for: more than the largest budget holds, so that the budget alone decides. */
const LIMIT = 100

/** Looks in contexts of several budgets for what a question's answer rests on, whoever reads them afterwards. */
export async function measureCoverage(measuring: Measuring, question: DatasetQuestion): Promise<void> {
  const { keyPoints = [], id, category, text } = question
  const contexts: CoveredContext[] = []
  let failure: string | null = null
  for (const budget of COVERAGE_BUDGETS) {
    const options = { limit: LIMIT, at: question.askedAt, tokens: budget }
    const found = await attempt(() => measuring.memory.retrieve(text, options))
    failure ??= found.failure
    const covered = await coverBy(measuring, question, found.value?.context ?? '')
    if (covered === null) return
    contexts.push({ budget, ...covered })
  }
  measuring.write({
    entry: 'coverage',
    ...entryOf(measuring),
    question: id,
    category,
    text,
    keyPoints,
    contexts,
    failure,
  })
}

/** `null` when the judge gave no verdict that can be used. */
async function coverBy(
  measuring: Measuring,
  { id, keyPoints = [] }: DatasetQuestion,
  context: string,
): Promise<Omit<CoveredContext, 'budget'> | null> {
  const lines = context.split('\n').filter((line) => line.trim() !== '')
  const content = readContent(context)
  const held: boolean[] = []
  for (const expected of keyPoints) {
    const judged = await askOutside(measuring, `verdict on a key point of question ${id}`, () =>
      measuring.judge.integrity({ expected, memories: lines, user: measuring.conversation.user }),
    )
    if (judged === null) return null
    held.push(judged.verdict === 2)
  }
  const words = keyPoints.map((point) => compareContent(readContent(point), content).share ?? 0)
  return { tokens: estimateTokens(context), context, held, words }
}
