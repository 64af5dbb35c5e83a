// The prompt and the summariser of a session in the paper LUFY.
import type { Summariser } from 'keepsake/preset'
import {
  SUMMARY_SHAPE,
  summariserAsking,
  summaryAnswer,
  summaryMaterial,
  summaryProblems,
  summaryRules,
  writingPrompt,
} from 'keepsake/preset'

/** Asks for the summary of a session, with the summary of earlier sessions as context (LUFY, section 4.1). */
export const sessionSummaryPrompt = writingPrompt({
  id: 'session-summary',
  version: 2,
  schema: summaryAnswer,
  shape: SUMMARY_SHAPE,
  words: {
    en: {
      rules: `Summarise one session of talk between a user and an agent, so that in a later session the agent can pick up where they left off.

- First what the user told of themself, of people close to them, and of what they did, plan, want or feel; then what the agent recommended or promised, by name, and what the two agreed on or left open. Leave out greetings, small talk and general knowledge.
- Third person, in the order it came up. Use the names that are given, otherwise "the user" and "the agent".
- Keep names, places, numbers and dates exactly. Write the date that "yesterday" or "next month" means, counted from the day of its turn.
- Keep who said what: what only the agent said or supposed is not a fact about the user. What was planned, supposed or joked stays so.
- Nothing that the turns do not say.
- In "turns", give each sentence the numbers of the turns it rests on.
- Write in the language of the turns. If nothing is worth remembering, give no sentences.`,
      before:
        '- <before> is a summary of earlier sessions. Use it to understand names and references; tell only what is new in this session, and say so where something changed.',
      ask: 'Summarise this session.',
    },
    zh: {
      rules: `请概括用户与助手的一次对话，使助手下次能接着聊。

- 先写用户说到的自己、身边的人，以及做过的、打算做的、想要的事和感受；再写助手推荐的（写出名称）、答应的，两人约定的和还没说完的事。寒暄、闲聊和一般常识略去。
- 用第三人称，按提到的先后。有名字就用名字，没有就写“用户”“助手”。
- 人名、地名、数字、日期照原样保留。“昨天”“下个月”之类，按说那句话的日子换算成具体日期。
- 谁说的要分清：只是助手说的或猜的，不是关于用户的事实。计划、假设、玩笑仍写作计划、假设、玩笑。
- 对话没有说的，一概不写。
- 每句话在 turns 里写明所依据的行号。
- 用中文写。没有值得记的，就不写任何句子。`,
      before: '- <before> 是以前各次对话的概括，只用来看懂人名和所指；只写这一次新说的，有变化的要写明变化。',
      ask: '请概括这次对话。',
    },
  },
  rules: summaryRules,
  material: summaryMaterial,
  problems: summaryProblems,
})

/** Makes LUFY's summariser of a session, with the summary of earlier sessions as context. It needs a language model. */
export function sessionSummariser(): Summariser {
  return summariserAsking(sessionSummaryPrompt, ({ sentences }) => [{ label: null, sentences }])
}
