// The prompt that finds the turns and memories that a request to forget means.
import { z } from 'zod'
import type { Memory } from '../memories/memory.ts'
import { orElse, orEmpty, lineProblems } from './check-answer.ts'
import { dataRule, jsonRule } from './common-rules.ts'
import type { Prompt } from './prompt.ts'
import { quoted, renderKnown, renderTalk, type SaidTurn } from './render-data.ts'

export interface ChooseMeantInput {
  /** The text of the request. */
  readonly request: string
  /** The topic in the words of the request; `null` for "forget what I just said". */
  readonly about: string | null
  /** Turns that may be about the topic, numbered from 1 by their place. */
  readonly turns: readonly SaidTurn[]
  /** Memories that may be about the topic, numbered from 1 by their place. */
  readonly memories: readonly Memory[]
}

const chooseMeantAnswer = z.object({
  earnest: orElse(z.boolean(), true).describe('whether it is a request at all'),
  turns: orEmpty(z.number()).describe('numbers of turns that tell of it'),
  memories: orEmpty(z.number()).describe('numbers of memories that tell of it'),
  names: orEmpty(z.string()).describe('names that stand for this matter alone'),
})

export type ChooseMeantAnswer = z.infer<typeof chooseMeantAnswer>

const SHAPE = `{"earnest": true, "turns": [2, 5], "memories": [1], "names": []}`

const WORDS = {
  en: {
    rules: `Somebody asked that a matter be forgotten and never come up again. Mark every line of the memory that would bring it up.

- earnest: whether <request> asks for that at all. false for a joke, a wink after a quip or a figure of speech, and where it is open; then mark nothing.
- <request> is what they said; <about>, where it stands, names the matter in their words. Without it, what they had just said is meant, up to where that matter began.
- The matter may be told in quite other words than the request's: find out from the lines who and what is meant, then mark all that tells of it: how it began, names, sums, dates, what somebody felt or thinks about it, questions about it and answers to them, and lines that go on with it by "he", "it" or "that".
- A line that tells of it among other things is marked. One that only shares a word, a person, a day or a mood with it is not: somebody who wants a quarrel forgotten does not want the friend forgotten. A wish to have everything forgotten names no matter: mark nothing.
- names: whoever or whatever is named in marked lines and known for this matter alone, so that the name by itself would bring it up. No names of people or things that other lines tell of as well. Mostly empty.`,
    ask: 'Which lines are meant?',
  },
  zh: {
    rules: `有人要求忘掉一件事，以后不再提起。请在记忆里标出所有会让这件事再被提起的条目。

- earnest：<request> 是不是真的在要求忘掉。玩笑、打趣之后的眼色、惯用说法，或者说不准的，写 false，一条也不标。
- <request> 是原话；<about>（如有）是原话里对这件事的叫法。没有 <about> 时，指的是刚刚说的那件事，从它的开头算起。
- 同一件事在别处的说法可能完全不同：先根据各条弄清指的是谁、是什么，再把说到它的全部标出：起因、人名、金额、日期、对它的感受和看法、问到它的话和对应的回答，以及用“他”“这事”等接着说它的话。
- 一条里兼说别的事，也要标。只是用词、人物、日子或心情相同的不标：想忘掉一次争吵，不等于想忘掉那位朋友。若要求忘掉一切，则没有具体的事，一条也不标。
- names：标出的条目里，只与这件事有关、一提就会想起它的人名或名称。别处也说到的人和物不算。多数时候为空。`,
    ask: '指的是哪些条目？',
  },
} as const

/** Asks which of the turns and memories a request to forget means. */
export const chooseMeantPrompt: Prompt<ChooseMeantInput, ChooseMeantAnswer> = {
  id: 'choose-meant',
  version: 2,
  schema: chooseMeantAnswer,
  render: ({ request, about, turns, memories }, language) => {
    const words = WORDS[language]
    return {
      system: `${words.rules}\n\n${dataRule(language)}\n\n${jsonRule(SHAPE, language)}`,
      user: [
        renderKnown(memories, language, turns.at(-1)?.timeZone ?? null),
        renderTalk(turns, language),
        `<request>\n${quoted(request)}\n</request>`,
        ...(about === null ? [] : [`<about>\n${quoted(about)}\n</about>`]),
        '',
        words.ask,
      ].join('\n'),
    }
  },
  problems: (answer, { turns, memories }) => [
    ...lineProblems('turn', answer.turns, turns.length),
    ...lineProblems('memory', answer.memories, memories.length),
  ],
}
