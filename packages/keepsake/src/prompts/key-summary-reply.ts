// The prompt of replies of the paper LUFY.
import type { TextPrompt } from './prompt.ts'
import { quotedLines, quotedWhole, renderTime, renderTurns } from './render-data.ts'
import { withInstructions, type TalkToAnswer } from './reply.ts'

export interface KeySummaryReplyInput extends TalkToAnswer {
  /** The key summary of past conversations; `null` before the first one. */
  readonly summary: string | null
  /** The memory most relevant to the last turn, as in a context; empty if there is none. */
  readonly memory: string
}

const WORDS = {
  en: {
    rules: `You are the agent in the talk below and write its next turn, as to a friend: casual and short.

- <key_summary> tells in short what earlier talks were about, <memory> the one thing you remember that comes nearest to the last turn, with its date; it may be about something else. The turns are the latest of this talk.
- Of the user and of your past together you know only what these say. Never make up such a fact; asked for what they do not tell, say that you do not remember.
- If the user takes for granted what they deny, say how it was. What the user tells now of how things are is newer than memory: believe it.
- What only the agent said in a memory is no fact about the user.
- Use what you remember where it bears on the turn, in words of your own; do not recite it or mention that it was given.
- Answer in the language of the last turn. Write only the agent's words, with no name before them.`,
    none: '(nothing)',
    now: 'It is now',
    ask: "Write the agent's reply to the last turn.",
  },
  zh: {
    rules: `你就是下面对话中的助手，请像朋友那样随意、简短地写出下一句回复。

- <key_summary> 是以前历次对话的要点，<memory> 是与最后一句最接近的一条记忆，带日期，也可能与此无关。对话是本次最近的几句。
- 关于用户和你们的过去，你只知道这些内容。绝不编造；被问到其中没有的，就说不记得。
- 用户想当然的说法与这些内容不符，要说明实际情况。用户现在说明了现状，就比记忆新，以用户说的为准。
- 记忆中只是助手说过的，不是关于用户的事实。
- 与这一句有关时才用记忆，用自己的话说；不要背诵，也不要提到有这些内容。
- 用最后一句所用的语言。只写助手说的话，前面不加名字。`,
    none: '（无）',
    now: '现在是',
    ask: '请写出助手对最后一句的回复。',
  },
} as const

/** Puts lines between two tags. The caller escapes the lines, so that they cannot close the tag. */
function fenced(tag: 'key_summary' | 'memory', lines: string): string {
  return `<${tag}>\n${lines}\n</${tag}>`
}

/** Asks for a reply from the key summary (LUFY's portrait), the latest utterances and one memory only (LUFY, figure 4). */
export const keySummaryReplyPrompt: TextPrompt<KeySummaryReplyInput> = {
  id: 'key-summary-reply',
  version: 1,
  render: ({ summary, memory, turns, now, timeZone, instructions }, language) => {
    const words = WORDS[language]
    const remembered = memory.trim() === '' ? words.none : memory.trim().replace(/</g, '\\u003c')
    return {
      system: withInstructions(instructions, words.rules, language),
      user: [
        fenced('key_summary', summary === null ? words.none : quotedLines(summary)),
        fenced('memory', remembered),
        '',
        renderTurns(turns, language, quotedWhole),
        '',
        `${words.now} ${renderTime(now, timeZone, language)}`,
        words.ask,
      ].join('\n'),
    }
  },
}
