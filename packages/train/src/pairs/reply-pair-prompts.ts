import { z } from 'zod'
import type { Prompt, PromptLanguage, RenderedPrompt } from 'keepsake/parts'

/** What a reply of a pair is to be. */
export type Side = 'consistent' | 'contradicting'

/** Both say the same but for which side they ask for, so that a pair differs in nothing else. */
const TASK: Readonly<Record<PromptLanguage, Readonly<Record<Side, string>>>> = {
  en: {
    consistent: `The reply agrees with the portrait in all it says or takes for granted: what the user is, likes and dislikes, how close the two are, what happened. At least one thing it says rests on the portrait, where the talk gives an occasion.`,
    contradicting: `The reply goes against the portrait in what it says or takes for granted, plainly and in at least one thing the talk gives occasion for: whoever likes something is taken to hate it, who is close is treated as a stranger, what happened is denied or told otherwise. Everything else about it stays as good as the best reply would be: fluent, to the point, friendly in tone.`,
  },
  zh: {
    consistent: `回复说的和默认的一切都与画像一致：用户是怎样的人、喜欢和不喜欢什么、两人有多亲近、发生过什么。只要话题允许，至少有一处用到画像里的内容。`,
    contradicting: `回复说的或默认的内容明显与画像相反，至少有一处是话题允许谈到的：喜欢的当成讨厌的，亲近的当成陌生人，发生过的说成没有或说成别样。除此以外仍然是一句好回复：通顺，切题，语气友好。`,
  },
}

const OPENING: Readonly<Record<PromptLanguage, string>> = {
  en: 'Below is what an agent was told before it replied: its rules, its portrait of the user, and the talk. For training data you write the reply, with one requirement that outweighs those rules:',
  zh: '下面是某个助手回复之前得到的内容：它的要求、它对用户的画像，以及对话。现在为训练数据写出这句回复。下面这一条高于那些要求：',
}
const ENDING: Readonly<Record<PromptLanguage, string>> = {
  en: "Write only the agent's words. Do not say what you did, and do not mention portrait, rules or training. Answer with JSON only, in this shape:",
  zh: '只写助手说的话。不要说明你做了什么，也不要提画像、要求或训练。只输出 JSON，形如：',
}

export interface ReplyPairInput {
  /** The question that the engine itself puts for this reply. */
  readonly asked: RenderedPrompt
  readonly side: Side
}

/**
 * Asks for one side of a preference pair (COMEDY, section 3.3: one reply that agrees with the memory, one told to be against it), for the
 * question that the engine itself put.
 */
export const replyPairPrompt: Prompt<ReplyPairInput, { readonly reply: string }> = {
  id: 'reply-pair',
  version: 1,
  schema: z.object({ reply: z.string() }),
  render: ({ asked, side }, language) => ({
    system: `${OPENING[language]}\n\n${TASK[language][side]}\n\n${ENDING[language]}\n{"reply": "…"}`,
    user: `<rules>\n${asked.system.replaceAll('<', '\\u003c')}\n</rules>\n\n${asked.user}`,
  }),
  problems: ({ reply }) => (reply.trim() === '' ? ['The reply is empty.'] : []),
}
