import { readDay } from '../text/day-mark.ts'
import type { Judge } from './judge.ts'
import { judgeAccuracy } from './rules/judge-accuracy.ts'
import { judgeAnswer } from './rules/judge-answer.ts'
import { judgeContent, judgeIntegrity, judgeLikeness, judgeUpdate } from './rules/judge-memories.ts'

/** The version of the rules. Raise it with every change of a rule, because verdicts then differ. */
const VERSION = '4'

/** A judge without a model. It compares the words of two texts in English and Chinese. It knows no synonyms, so it rejects too much. */
export const deterministicJudge: Judge = {
  name: 'deterministic',
  kind: 'deterministic',
  version: VERSION,
  // Removes the day that begins a memory. The day on which something was said is no part of the statement.
  integrity: async (input) =>
    judgeIntegrity({ ...input, memories: input.memories.map((memory) => readDay(memory).text) }),
  accuracy: async (input) => judgeAccuracy({ ...input, memory: readDay(input.memory).text }),
  update: async (input) => judgeUpdate(input),
  answer: async (input) => judgeAnswer(input),
  likeness: async (input) => judgeLikeness(input),
  reply: async ({ reference, reply }) => judgeLikeness({ label: reference, memory: reply }),
  sameContent: async (input) => judgeContent(input),
}
