import { chooseOption } from './choose-option.ts'
import { rankSentences } from './rank-sentences.ts'
import type { Reader, ReadingInput } from './reader.ts'
import { shorten, wordCount } from './shorten.ts'

/** Raised with every change of a rule. */
const VERSION = '1'

/** Of an answer. */
const MOST_WORDS = 40
/**
 * Share of the question's weight that a sentence and its neighbours have to hold. A question has words that its answer does not repeat (“what
 * kind”, “did … decide”), so that half would be too much; below a third, two sentences of one person's talk share as much by chance.
 */
const LEAST_SUPPORT = 1 / 3
/** A further sentence joins the answer when it bears on the question nearly as much as the best. */
const NEARLY = 0.9

const ABSTENTION = { en: 'I do not know.', zh: '我不知道。' } as const

/**
 * A reader without a model: it answers with the sentence or sentences of what was retrieved that bear most on the question,
 * cut to 40 words, and says that it does not know when none bears on it. It copies and never infers: what takes two
 * memories, reckoning or another wording it misses, the same for every system.
 */
export const extractiveReader: Reader = {
  name: 'extractive',
  kind: 'deterministic',
  version: VERSION,
  answer: async (input) => {
    const answer = extract(input)
    const abstained = answer === null
    return { answer: answer ?? abstentionFor(input.question), abstained, inputTokens: 0, outputTokens: 0 }
  },
  choose: async (input) => ({ choice: chooseOption(input), inputTokens: 0, outputTokens: 0 }),
}

function extract(input: ReadingInput): string | null {
  const ranked = rankSentences(input).filter(({ support }) => support >= LEAST_SUPPORT)
  const [best] = ranked
  if (best === undefined) return null
  const chosen: typeof ranked = []
  let room = MOST_WORDS
  for (const sentence of ranked) {
    const words = wordCount(sentence.text)
    if (sentence.score < best.score * NEARLY || words > room) break
    chosen.push(sentence)
    room -= words
  }
  if (chosen.length === 0) return shorten(best.text, input.question, MOST_WORDS)
  return chosen
    .toSorted((one, other) => one.place - other.place)
    .map(({ text }) => text)
    .join(' ')
}

function abstentionFor(question: string): string {
  return /\p{Script=Han}/u.test(question) ? ABSTENTION.zh : ABSTENTION.en
}
