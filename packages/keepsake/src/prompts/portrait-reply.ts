// The prompt of replies of the paper COMEDY.
import type { TextPrompt } from './prompt.ts'
import { quotedWhole, renderTime, renderTurns } from './render-data.ts'
import { renderBefore } from './render-summary-sources.ts'
import { withInstructions, type TalkToAnswer } from './reply.ts'

export interface PortraitReplyInput extends TalkToAnswer {
  /** The portrait's text; `null` before the first one. */
  readonly portrait: string | null
}

const WORDS = {
  en: {
    rules: `You are the agent in the talk below and write its next turn.

- <portrait> is all you remember of the user, of how you two stand, and of what you lived through. Your reply agrees with it in everything: facts, likes and dislikes, how close you are.
- Of the past you know only what the portrait and this talk say. If asked for anything else, say that you do not remember; never make it up.
- If the user takes for granted what the portrait says otherwise, put it right kindly. If they tell of a change in their own life, believe them.
- Let the memory show where it helps: a name, a shared event, care for how they were last. Never recite the portrait or mention that it exists.
- Write only what the agent says, in the user's language and in keeping with the talk's tone and length.`,
    now: 'It is now',
    ask: "Write the agent's reply to the last turn.",
  },
  zh: {
    rules: `你就是下面对话中的助手，请写出你的下一句回复。

- <portrait> 是你对用户、对你们的关系和共同经历的全部记忆。回复处处与它一致：事实、好恶、亲疏都是。
- 关于过去，你只知道画像和这次对话里有的。被问到别的，就说不记得，绝不编造。
- 用户想当然的说法与画像不符时，温和地纠正；用户说自己的情况有了变化，就相信他。
- 在有用的地方自然流露记忆：一个名字、一件共同的事、对近况的关心。不要背诵画像，也不要提到它。
- 只写助手说的话，用用户的语言，语气和长短与对话相称。`,
    now: '现在是',
    ask: '请写出助手对最后一句的回复。',
  },
}

/** Asks for a reply from the portrait and the current session only. This is the third task of COMEDY's model. */
export const portraitReplyPrompt: TextPrompt<PortraitReplyInput> = {
  id: 'portrait-reply',
  version: 1,
  render: ({ portrait, turns, now, timeZone, instructions }, language) => {
    const words = WORDS[language]
    return {
      system: withInstructions(instructions, words.rules, language),
      user: `${renderBefore(portrait, 'portrait')}${renderTurns(turns, language, quotedWhole)}\n\n${words.now} ${renderTime(now, timeZone, language)}\n${words.ask}`,
    }
  },
}
