import { z } from 'zod'
import { generatePrompt, textProblems, unmet } from '../../generate-prompt.ts'

export interface ChangeMemoryInput {
  readonly kind: 'modify' | 'delete'
  readonly memory: string
  /** Other facts of the person, which must stay true. */
  readonly others: readonly string[]
}

/** SSMF's third stage: a memory is changed, and a round of talk states it (MMM, section 2.2.3). */
export const changeMemoryPrompt = generatePrompt({
  id: 'generate-change-memory',
  version: 2,
  schema: z.object({ after: z.string().nullable(), said: z.string(), reply: z.string() }),
  shape: '{"after": "…", "said": "…", "reply": "…"}',
  rules: {
    en: `Something has changed in a person's life. Write the round of chat in which the assistant hears of it.

- For "modify": change one or two details of the memory, plausibly, and keep the rest. "after" is the new state, one sentence in the third person, built like the memory. "said" tells all of "after", and what it takes the place of.
- For "delete": "after" is null. "said" makes clear that the memory no longer holds and nothing takes its place, or asks the assistant to drop it; it leaves no doubt which matter is meant.
- "said" is in the first person and sounds like talk: it can be indirect, and run over two sentences. A reason may be a mood or a feeling, never a further fact worth remembering.
- What <others> say stays true and is not told again.
- "reply" is one or two friendly sentences without new facts.`,
    zh: `一个人的生活有了变化。写出助手得知此事的那一轮聊天。

- 若为 "modify"：改动记忆中的一两处细节，要合理，其余保留。"after" 写新情况，一句话，第三人称，句式与记忆相近。"said" 要讲全 "after" 的内容，也要提到原来是怎样的。
- 若为 "delete"："after" 为 null。"said" 讲明这条记忆不再成立、也没有别的取代它，或请助手别再记着；要让人清楚是哪件事。
- "said" 用第一人称，像平常说话：可以委婉，可以分两句。原因可以是心情、感受，不能是另一件值得记住的事。
- <others> 里的仍然成立，不必再讲。
- "reply" 一两句，友善，不添加事实。`,
  },
  material: ({ kind, memory, others }: ChangeMemoryInput) => ({ kind, memory, others }),
  problems: ({ after, said, reply }, { kind, memory, others }) => [
    ...textProblems('turn', [said, reply]),
    ...unmet({
      '"after" must be null, since the memory is deleted.': kind !== 'delete' || after === null,
      '"after" must be a new text, other than the memory.':
        kind !== 'modify' || (after !== null && after.trim() !== '' && after !== memory),
      '"after" is one of the other facts.': after === null || !others.includes(after),
    }),
  ],
  maxOutputTokens: 1_000,
})
