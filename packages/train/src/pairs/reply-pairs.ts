import { ModelError, type LanguageModel } from 'keepsake'
import { promptRunner } from 'keepsake/model'
import { promptLanguage, type Prompt, type PromptLanguage, type RenderedPrompt } from 'keepsake/preset'
import { z } from 'zod'
import type { CheckedExample } from '../examples/example.ts'
import type { Reply } from '../store/reply-examples.ts'

/** The stance of a reply towards the memory. */
export type Side = 'consistent' | 'contradicting'

/** The request for each stance. They differ only in the stance, so that the replies differ in nothing else. */
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
  /** The engine's own question for this reply. */
  readonly question: RenderedPrompt
  readonly side: Side
}

/** Asks for one reply of a preference pair (the COMEDY paper, section 2.3). The other reply has the other stance. */
const replyPairPrompt: Prompt<ReplyPairInput, { readonly reply: string }> = {
  id: 'reply-pair',
  version: 1,
  schema: z.object({ reply: z.string() }),
  render: ({ question, side }, language) => ({
    system: `${OPENING[language]}\n\n${TASK[language][side]}\n\n${ENDING[language]}\n{"reply": "…"}`,
    user: `<rules>\n${question.system.replaceAll('<', '\\u003c')}\n</rules>\n\n${question.user}`,
  }),
  problems: ({ reply }) => (reply.trim() === '' ? ['The reply is empty.'] : []),
}

export interface PairOptions {
  /** The model that writes both replies. Without a model there are no pairs. */
  readonly model: LanguageModel | undefined
  /** Called after each pair, or after each person if several are read. */
  readonly onProgress?: (done: number, of: number) => void
}

export interface Pairs {
  readonly pairs: readonly CheckedExample[]
  /** One reason for each reply without a pair. */
  readonly failures: readonly string[]
}

/** Makes a preference pair for each reply, unless the model refuses to contradict or answers the same twice. */
export async function replyPairs(
  replies: readonly Reply[],
  { model, onProgress }: PairOptions,
): Promise<Pairs> {
  const pairs: CheckedExample[] = []
  const failures: string[] = []
  for (const [index, reply] of replies.entries()) {
    const pairOrReason = model === undefined ? 'there is no language model' : await makePair(reply, model)
    if (typeof pairOrReason === 'string') failures.push(pairOrReason)
    else pairs.push(pairOrReason)
    onProgress?.(index + 1, replies.length)
  }
  return { pairs, failures }
}

/** @returns the pair, or the reason why there is none */
async function makePair(reply: Reply, model: LanguageModel): Promise<CheckedExample | string> {
  try {
    const answer = await writeReply(model, reply, 'consistent')
    const rejected = await writeReply(model, reply, 'contradicting')
    if (answer === '' || rejected === '') return 'the model answered with nothing'
    if (answer === rejected) return 'both replies are the same'
    return { ...reply.example, task: 'reply-dpo', answer, rejected, by: 'model' }
  } catch (error) {
    if (error instanceof ModelError) return error.message
    throw error
  }
}

async function writeReply(model: LanguageModel, { example, talk }: Reply, side: Side): Promise<string> {
  const scope = { tenant: 'training', user: 'pairs', agent: null, app: null }
  const ask = promptRunner({ model }).for('pairs', scope)
  const language = promptLanguage([talk.at(-1)?.text ?? ''])
  const { reply: written } = await ask.ask(replyPairPrompt, { question: example, side }, { language })
  return written.trim()
}
