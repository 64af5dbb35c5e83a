import { z } from 'zod'
import { fenced } from '../../prompts/fenced.ts'
import { generatePrompt, textProblems } from './generate-prompt.ts'

export interface AskChangeInput {
  readonly before: string
  /** `null` when it was deleted. */
  readonly after: string | null
}

const schema = z.object({ question: z.string(), answer: z.string() })

/** SSMF's last stage: a question about what came of one conflict (MMM, section 2.2.4). */
export const askChangePrompt = generatePrompt<AskChangeInput, z.infer<typeof schema>>({
  id: 'generate-ask-change',
  schema,
  shape: '{"question": "…", "answer": "…"}',
  rules: {
    en: `Write a question that tells whether somebody's memory of a person is up to date, and its answer.

- It asks how things stand now, in the third person, and gives away neither the old nor the new state; where nothing holds any more it may name the old state and ask whether it still holds.
- The answer is one short sentence that rests on what is given alone.`,
    zh: `出一道题，看对一个人的记忆是否跟上了变化，并写出答案。

- 用第三人称问现在的情况，不透露旧情况，也不透露新情况；如果已经什么都不成立，可以提到旧情况，问它是否还成立。
- 答案一句短话，只依据给出的内容。`,
  },
  material: ({ before, after }) =>
    after === null ? fenced('deleted', before) : `${fenced('before', before)}\n${fenced('now', after)}`,
  problems: ({ question, answer }) => textProblems('text', [question, answer]),
  maxOutputTokens: 400,
})
