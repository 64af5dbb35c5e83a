// Composes and checks summaries that consist of sentences in sections.
import { z } from 'zod'
import { orEmpty, isLine } from './check-answer.ts'

/** The schema of a sentence of a summary, with the numbers of the lines that support it. */
export const toldSentence = z.object({
  text: z.string().describe('One plain sentence in the third person.'),
  turns: orEmpty(z.number()).describe('Numbers of the lines it rests on; at least one.'),
})

export type ToldSentence = z.infer<typeof toldSentence>

/** A part of a summary, with the label of its topic if it has one. */
export interface ToldSection {
  readonly label: string | null
  readonly sentences: readonly ToldSentence[]
}

/** Matches the end of a Chinese sentence. */
const ENDS_CHINESE = /[。！？…；”」』）]$/

/** Joins sentences with spaces. There is no space after a Chinese sentence. */
export function joinSentences(sentences: readonly string[]): string {
  let text = ''
  for (const sentence of sentences) {
    const needsSpace = text !== '' && !ENDS_CHINESE.test(text)
    text += needsSpace ? ` ${sentence}` : sentence
  }
  return text
}

/** Composes sections as text. Each section is on a line after its label. Empty sections are left out. */
export function composeSections(sections: readonly ToldSection[]): string {
  return sections
    .filter(({ sentences }) => sentences.length > 0)
    .map(({ label, sentences }) => {
      const joined = joinSentences(sentences.map(({ text }) => text.replace(/\s+/g, ' ').trim()))
      return label === null ? joined : `${label}${joined}`
    })
    .join('\n')
}

/** Returns the problems of one sentence: no text, no lines, or lines that do not exist. */
function sentenceProblems({ text, turns }: ToldSentence, lines: number): string[] {
  if (text.trim() === '') return ['A sentence is empty: leave it out.']
  const sentence = `The sentence "${text.slice(0, 60)}"`
  const unknown = turns.filter((number) => !isLine(number, lines))
  if (turns.length === 0)
    return [`${sentence} names no line it rests on: name them in "turns" or leave it out.`]
  return unknown.length === 0
    ? []
    : [`${sentence} names ${unknown.join(', ')}, but the lines are numbered from 1 to ${lines}.`]
}

/** Factor by which an answer may exceed its maximum length, because a request to shorten it costs another call. */
const LEEWAY = 1.1

/** Returns the length that is accepted for a requested maximum. */
export function longestAllowed(mostCharacters: number): number {
  return Math.round(mostCharacters * LEEWAY)
}

/** Returns a problem for each empty sentence, each line that does not exist, and for too many characters. */
export function sectionProblems(
  sections: readonly ToldSection[],
  lines: number,
  mostCharacters: number,
): string[] {
  const problems = sections.flatMap(({ sentences }) =>
    sentences.flatMap((sentence) => sentenceProblems(sentence, lines)),
  )
  const { length } = composeSections(sections)
  if (length <= longestAllowed(mostCharacters)) return problems
  const tooLong = `It has ${length} characters and may have ${mostCharacters}: shorten it, leaving out what matters least.`
  return [...problems, tooLong]
}
