import { z } from 'zod'
import { generatePrompt, textProblems } from '../../generate-prompt.ts'

/** SSMF's second stage: a round of talk that states one memory (MMM, section 2.2.2). */
export const tellMemoryPrompt = generatePrompt({
  id: 'generate-tell-memory',
  version: 2,
  schema: z.object({ said: z.string(), reply: z.string() }),
  shape: '{"said": "…", "reply": "…"}',
  rules: {
    en: `Write one round of an everyday chat: what the person says, and the assistant's answer.

- "said" is in the first person and lets the memory be known: all that it tells, with names and numbers as they stand. It may come up in an anecdote, a sigh, a joke, over two sentences; it never reads like a form.
- A mood or a trifle of the moment may colour it. Nothing else about the person that would be worth remembering.
- "reply" is one or two friendly sentences. It adds no fact and does not repeat the memory word for word.`,
    zh: `写一轮日常聊天：这个人说的话，和助手的回答。

- "said" 用第一人称把这条记忆讲出来，内容要全，名称和数字照原样。可以是一件小事、一声感叹、一句玩笑，也可以分两句说，不要像填表。
- 可以带一点心情或当下的琐事，但不要说出其他值得记住的个人信息。
- "reply" 一两句，友善自然，不添加事实，不照抄记忆。`,
  },
  material: ({ memory }: { memory: string }) => ({ memory }),
  problems: ({ said, reply }) => textProblems('turn', [said, reply]),
  maxOutputTokens: 800,
})
