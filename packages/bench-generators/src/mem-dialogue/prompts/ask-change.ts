import { z } from 'zod'
import { generatePrompt, textProblems } from '../../generate-prompt.ts'

export interface AskChangeInput {
  readonly before: string
  /** `null`: it was deleted. */
  readonly after: string | null
  /** The talk from the change on, a round each: the paper's D′ from pos′. */
  readonly talk: readonly string[]
}

/** SSMF's last stage: a question about what came of one conflict (MMM, equation 8). */
export const askChangePrompt = generatePrompt({
  id: 'generate-ask-change',
  version: 3,
  schema: z.object({ question: z.string(), answer: z.string() }),
  shape: '{"question": "…", "answer": "…"}',
  rules: {
    en: `Write a question that tells whether somebody's memory of a person is up to date, and its answer.

- Given <before> and <now>: ask, in the third person, how that which changed stands now. The question may name what both have in common, and nothing in which they differ.
- Given <deleted>: it no longer holds, and nothing has taken its place. The question may name it and asks whether it still holds; the answer says that it does not.
- <talk> is the talk from the change on. The answer holds at its end; it is one short sentence, says all that changed, and rests on what is given alone.`,
    zh: `出一道题，看对一个人的记忆是否跟上了变化，并写出答案。

- 给出 <before> 和 <now> 时：用第三人称问变了的那一点现在怎样。题目可以提到两者相同的部分，不能提到不同的部分。
- 给出 <deleted> 时：它不再成立，也没有别的取代它。题目可以提到它，问是否还成立；答案说明不再成立。
- <talk> 是从变化开始的对话。答案在对话结束时仍然成立；一句短话，把变了的都说到，只依据给出的内容。`,
  },
  material: ({ before, after, talk }: AskChangeInput) => ({
    ...(after === null ? { deleted: before } : { before, now: after }),
    talk,
  }),
  problems: ({ question, answer }) => textProblems('text', [question, answer]),
  maxOutputTokens: 400,
})
