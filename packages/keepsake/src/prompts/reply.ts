import { replyDataRule } from './common-rules.ts'
import type { PromptLanguage, TextPrompt } from './prompt.ts'
import { chatMessages, quotedWhole, renderTime, renderTurns, type SaidTurn } from './render-data.ts'

/** A talk in which the agent is to reply. */
export interface TalkToAnswer {
  /** The current talk; the last turn is the one to answer. */
  readonly turns: readonly SaidTurn[]
  /** The moment of replying, milliseconds since 1970. */
  readonly now: number
  readonly timeZone: string | null
  /** The application's own words on who the agent is and how it talks. They come first. */
  readonly instructions: string | null
}

export interface ReplyInput extends TalkToAnswer {
  /** What recall composed: a memory a line, quoted. Empty when nothing was found. */
  readonly context: string
  /** `false`: it is not sure that memory holds what is asked. */
  readonly known: boolean
  /** How many memories there was no room for; none when absent. */
  readonly leftOut?: number
}

const WORDS = {
  en: {
    rules: `You write the agent's next turn in the talk below. <memories> holds what is remembered of earlier talks and bears on it, best first, with dates; a line may be about something else.

- Of the user and of your past together you know only what the memories and this talk say. Never make up such a fact, nor fill in a name, date or number that is not there.
- Asked about something of the past that they do not tell, say plainly that you do not know or do not remember it; you may add what they do tell that comes near.
- If a question takes for granted what the memories deny (another name, place, person, time; a thing that was never so), do not go along: say how it was.
- Of memories that differ, the one that holds at the time asked about counts, for the present the latest. When the user tells in this talk how something is now, that is newer than memory: believe it.
- A memory of what the agent said is what the agent said, no fact about the user.
- Count "last week" and the like from the time given below.
- Use memory as a person who was there would: what bears on this turn, in words of your own. No lists of what you know, no quoting of lines, dates only where they matter, no mention of memories, lines or rules.
- Common knowledge needs no memory. Answer in the language of the last turn, in keeping with the talk's tone and length. Write only the agent's words, with no name before them.`,
    unknown:
      'The search is not sure that memory holds what the last turn asks. Look closely: if neither the memories nor this talk tell it, say that you do not know.',
    leftOut: (count: number) => `(${count} more are not shown)`,
    none: '(nothing)',
    now: 'It is now',
    ask: "Write the agent's reply to the last turn.",
  },
  zh: {
    rules: `请写出下面对话中助手的下一句回复。<memories> 是以前对话中与此有关的记忆，带日期，最相关的在前；个别行也可能与此无关。

- 关于用户和你们的过去，你只知道这些记忆和本次对话里有的。绝不编造这类事实，没写明的名字、日期、数字也不要补上。
- 被问到过去的事而其中没有，就直说不知道或不记得；可以补充其中相近的内容。
- 问题想当然的说法与记忆不符（名字、地点、人物、时间不对，或根本没有的事），不要顺着说，要说明实际情况。
- 记忆前后不同时，以所问时间有效的为准；问现在，以最新的为准。用户在本次对话中说明了现状，就比记忆新，以用户说的为准。
- 记录的若是助手说过的话，那只是助手说过，不是关于用户的事实。
- “上周”之类的说法，从下面给出的时间算起。
- 像亲历者那样用记忆：只用与这一句有关的，用自己的话说。不罗列所知，不照抄记忆，日期要紧才提，不提“记忆”“记录”和这些要求。
- 一般常识不需要记忆。用最后一句所用的语言，语气和长短与对话相称。只写助手说的话，前面不加名字。`,
    unknown: '检索不能确定记忆里有最后一句所问的内容。请仔细看：如果记忆和本次对话里都没有，就说不知道。',
    leftOut: (count: number) => `（另有${count}条没有列出）`,
    none: '（无）',
    now: '现在是',
    ask: '请写出助手对最后一句的回复。',
  },
}

/** Composed lines as they stand, with nothing left in them that could close the fence. */
function renderContext(context: string, none: string, leftOut: string | null): string {
  const lines = context.trim() === '' ? none : context.trim().replace(/</g, '\\u003c')
  return `<memories>\n${lines}${leftOut === null ? '' : `\n${leftOut}`}\n</memories>`
}

/** The words before the rules: the application's own, as they are. */
export function withInstructions(
  instructions: string | null,
  rules: string,
  language: PromptLanguage,
): string {
  const own = instructions?.trim() ?? ''
  const first = own === '' ? '' : `${own}\n\n`
  return `${first}${rules}\n\n${replyDataRule(language)}`
}

/** The reply of presets that recall memories: grounded in them, and in nothing else where the past is concerned. */
export const replyPrompt: TextPrompt<ReplyInput> = {
  id: 'reply',
  version: 2,
  render: ({ context, known, leftOut = 0, turns, now, timeZone, instructions }, language) => {
    const words = WORDS[language]
    // Roles alternate: what nobody has answered yet stands in the last message.
    const start = turns.findLastIndex(({ role }) => role === 'assistant') + 1
    return {
      system: withInstructions(instructions, words.rules, language),
      before: chatMessages(turns.slice(0, start), language),
      user: [
        renderContext(context, words.none, leftOut === 0 ? null : words.leftOut(leftOut)),
        '',
        renderTurns(turns.slice(start), language, quotedWhole),
        '',
        `${words.now} ${renderTime(now, timeZone, language)}`,
        ...(known ? [] : [words.unknown]),
        words.ask,
      ].join('\n'),
    }
  },
}
