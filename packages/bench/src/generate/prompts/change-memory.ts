import { z } from 'zod'
import { fenced, fencedList } from '../../prompts/fenced.ts'
import { generatePrompt, textProblems } from './generate-prompt.ts'

export interface ChangeMemoryInput {
  readonly kind: 'modify' | 'delete'
  readonly memory: string
  /** What is known of the person besides; it must stay true. */
  readonly others: readonly string[]
}

const schema = z.object({ after: z.string().nullable(), said: z.string(), reply: z.string() })

/** SSMF's third stage: a memory is perturbed, and a round of talk tells it (MMM, section 2.2.3). */
export const changeMemoryPrompt = generatePrompt<ChangeMemoryInput, z.infer<typeof schema>>({
  id: 'generate-change-memory',
  schema,
  shape: '{"after": "…", "said": "…", "reply": "…"}',
  rules: {
    en: `Something has changed in a person's life. Write the round of chat in which the assistant hears of it.

- For "modify": invent a plausible new state of the same matter and put it into "after", one sentence in the third person, built like the memory. In "said" the person makes it known, so that it is clear what is new and what it replaces.
- For "delete": "after" is null. In "said" the person makes clear that the memory no longer holds and nothing takes its place, or asks the assistant to drop it, naming what it is about.
- "said" is in the first person and sounds like talk: it can be indirect, run over two sentences, come with a reason.
- The other facts stay true, and no new one is told.
- "reply" is one or two friendly sentences without new facts.`,
    zh: `一个人的生活有了变化。写出助手得知此事的那一轮聊天。

- 若为 "modify"：为同一件事想出合理的新情况，写进 "after"，一句话，第三人称，句式与记忆相近。"said" 里本人把它讲出来，让人明白什么变了、变成什么。
- 若为 "delete"："after" 为 null。"said" 里本人讲明这条记忆不再成立、也没有别的取代它，或请助手别再记着，并说清是哪件事。
- "said" 用第一人称，像平常说话：可以委婉，可以分两句，可以带上原因。
- 其他事实不变，也不要讲出新的事实。
- "reply" 一两句，友善，不添加事实。`,
  },
  material: ({ kind, memory, others }) =>
    [fenced('kind', kind), fenced('memory', memory), fencedList('others', others)].join('\n'),
  problems: ({ after, said, reply }, { kind, memory }) => [
    ...textProblems('turn', [said, reply]),
    ...(kind === 'delete' && after !== null ? ['"after" must be null, since the memory is deleted.'] : []),
    ...(kind === 'modify' && (after === null || after.trim() === '' || after === memory)
      ? ['"after" must be a new text, other than the memory.']
      : []),
  ],
  maxOutputTokens: 1_000,
})
