// The prompt of session memories, task 1 of the paper COMEDY.
import { z } from 'zod'
import {
  labelled,
  orEmpty,
  promptLanguage,
  quoted,
  renderBefore,
  renderTurns,
  sectionProblems,
  toldSentence,
  writingPrompt,
  type PromptLanguage,
  type ToldSection,
  type SummarySource,
} from 'keepsake/preset'

export interface SessionMemoryInput {
  /** Turns, or pieces of very long ones, numbered from 1 and shown whole. */
  readonly sources: readonly SummarySource[]
  /** The memories of the earlier parts of a long session; `null` for the first part and for a session that is read at once. */
  readonly earlier: string | null
}

const sessionMemoryAnswer = z.object({
  outcome: z
    .enum(['memory', 'nothing', 'unsafe'])
    .describe('`memory` when something is worth keeping; otherwise the three lists are empty.'),
  events: orEmpty(toldSentence).describe('What happened or was talked over.'),
  user: orEmpty(toldSentence).describe('What the user is like: a portrait.'),
  agent: orEmpty(toldSentence).describe('What the agent is like: a portrait.'),
})

export type SessionMemoryAnswer = z.infer<typeof sessionMemoryAnswer>

/** Asks for COMEDY's task 1: the memory of a session, from that session alone. */
export const sessionMemoryPrompt = writingPrompt({
  id: 'session-memory',
  version: 3,
  schema: sessionMemoryAnswer,
  shape: `{"outcome": "memory", "events": [{"text": "…", "turns": [1, 2]}], "user": [], "agent": []}`,
  words: {
    en: {
      rules: `Write down what one session of talk between a user and an agent leaves to remember, in natural sentences of three kinds:

- events: what happened in their lives or between the two, what they did, agreed on or plan, what the agent recommended or promised by name. Whole sentences with who, what and, where known, when and where.
- user: what the session shows of the user: name, age, birthday, gender, home, family, work, study and the like; likes and dislikes; habits and character; state of mind, health and work just now.
- agent: the same of the agent, as far as it speaks of itself as a person or character.

Rules:
- Third person. Use the names that are given, otherwise "the user" and "the agent".
- Leave out nothing of substance, however small: the text may be as long as that takes, and it is all that stays of the session. Only greetings and empty talk go. Say each thing once, in the list where it fits best.
- Keep names, numbers and dates exactly. Write the date that "yesterday" or "next month" means, counted from the day of its turn.
- Only what the turns say. What the agent supposes of the user counts only when the user agrees. Plans, guesses and jokes stay so.
- In "turns", give each sentence the numbers of the turns it rests on.

Outcome:
- "memory": there is something to keep.
- "nothing": only greetings, small talk or questions of general knowledge.
- "unsafe": the session is in the main sexually explicit, revels in violence, or helps to do serious harm. That somebody tells of illness, grief, fear or violence they suffered is not unsafe: it is worth remembering.

Write in the language of the turns.`,
      earlier: `- The session is long and is given in parts. <before> is the memory of its earlier parts: use it to understand, do not write it again. Judge the outcome by this part alone.`,
      ask: 'Write the memory of this session.',
    },
    zh: {
      rules: `请记下用户与助手的一次对话中值得记住的内容，用自然的句子，分三类：

- events（事件）：两人生活中或彼此之间发生的事，做过、约好、打算做的事，助手推荐了什么、答应了什么（写出名称）。句子要完整，写明谁、做什么；知道时间地点的也写上。
- user（用户画像）：对话中看得出的用户情况：姓名、年龄、生日、性别、住处、家人、工作、学业等；喜欢和不喜欢的；习惯和性格；近来的心情、健康和工作状态。
- agent（助手画像）：助手以人物或角色身份谈到自己的同类内容。

要求：
- 用第三人称。有名字就用名字，没有就写“用户”“助手”。
- 凡有实际内容的都不要遗漏，小事也写，需要多长就写多长：这次对话以后只剩下这份文字。只略去寒暄空话。一件事只写一次，放在最合适的一类。
- 人名、数字、日期照原样保留。“昨天”“下个月”之类，按说那句话的日子换算成具体日期。
- 只写对话里说的。助手对用户的猜测，用户认可了才算。计划、猜测、玩笑仍写作计划、猜测、玩笑。
- 每句话在 turns 里写明所依据的行号。

outcome（结果）：
- memory：有值得记的内容。
- nothing：只有寒暄、闲聊或一般常识的问答。
- unsafe：对话主要是露骨的色情、渲染暴力，或是在协助严重伤害。有人倾诉病痛、悲伤、恐惧或自己遭受的暴力，不算 unsafe，应当记住。

用中文写。`,
      earlier: `- 这次对话较长，分成几部分给出。<before> 是前面各部分的记忆，只用来帮助理解，不要重复。outcome 只看这一部分。`,
      ask: '请写出这次对话的记忆。',
    },
  },
  rules: ({ earlier }: SessionMemoryInput, words) =>
    earlier === null ? [words.rules] : [words.rules, words.earlier],
  material: ({ sources, earlier }, language) =>
    `${renderBefore(earlier, 'before')}${renderTurns(sources.map(withTimeZone), language, quoted)}`,
  problems: (answer, input) => {
    const { outcome } = answer
    const count = answer.events.length + answer.user.length + answer.agent.length
    if (outcome === 'unsafe') return []
    if (outcome === 'nothing')
      return count === 0
        ? []
        : ['The outcome is "nothing", yet sentences are given: choose "memory" or drop them.']
    if (count === 0)
      return ['The outcome is "memory", yet no sentence is given: choose "nothing" or write them.']
    const language = promptLanguage(input.sources.map(({ text }) => text))
    return sectionProblems(
      sessionMemorySections(answer, language),
      input.sources.length,
      Number.POSITIVE_INFINITY,
    )
  },
})

function withTimeZone({
  timeZone = null,
  ...source
}: SummarySource): SummarySource & { timeZone: string | null } {
  return { ...source, timeZone }
}

const LABELS = {
  en: { events: 'Events: ', user: 'User: ', agent: 'Agent: ' },
  zh: { events: '事件：', user: '用户：', agent: '助手：' },
} as const

/** Returns the events, the user's profile and the agent's, each with its label. */
export function sessionMemorySections(
  answer: Omit<SessionMemoryAnswer, 'outcome'>,
  language: PromptLanguage,
): ToldSection[] {
  return labelled(LABELS[language], answer).map(([label, sentences]) => ({ label, sentences }))
}
