// Compares the order of people, places and numbers in a statement with that in the talk: who did something to whom, from where to where.
import { findTerms, isEnglishFunctionWord, normaliseText, splitSentences } from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import { RELATION_OF } from './compare-claim.ts'
import { CALENDAR, DATE } from './compare-particulars.ts'
import { open, type Difference, type Talk } from './difference.ts'

const RELATIONS = [...RELATION_OF.keys()]
  .toSorted((one, other) => other.length - one.length)
  .map((word) => (/^\p{ASCII}+$/u.test(word) ? String.raw`\b${word}\b` : word))
/** What a verb or a comparison joins. Only parts of one kind can stand for each other. */
const KINDS = [
  /\p{Nd}[\p{Nd}.,]*\p{Nd}|\p{Nd}/gu,
  /(?<!\p{L})(?!(?:Mrs?|Ms|Dr)\b)\p{Lu}[\p{L}’'-]*\p{L}|[小老阿](?!时候|家|师)\p{Script=Han}|(?<=从|到了?|往)(?!了)\p{Script=Han}{2}/gu,
  new RegExp(RELATIONS.join('|'), 'giu'),
]
/** Matches a sentence that compares two things: “prefers tea to coffee”. */
const COMPARES = /\b(?:prefer(?:s|red)?|rather|(?:better|worse|more|less) than|instead of)\b/iu

/** Returns the parts of a sentence by kind, each in order. What comes twice is listed once. */
function partsOf(sentence: string): string[][] {
  const text = sentence.replaceAll(DATE, ' ')
  const parts = KINDS.map((kind) =>
    // 爸爸, 老爸 and 爸 are one person.
    Array.from(text.matchAll(kind), ([part]) =>
      normaliseText(part.replace(/['’]s$/u, '')).replace(/^[我老]?(\p{Script=Han})\1?$/u, '$1'),
    ),
  )
  parts.push(COMPARES.test(text) ? findTerms(normaliseText(text)) : [])
  return parts.map((kind) =>
    [...new Set(kind)].filter((part) => !isEnglishFunctionWord(part) && !CALENDAR.test(part)),
  )
}

/** Finds two parts that the talk has in the other order, in every sentence that has both; `null` if there are none. */
export function compareOrder({ text }: Candidate, said: Talk): Difference | null {
  const talk = said.turns.flatMap((turn) => splitSentences(turn.text)).map((one) => partsOf(one.text))
  for (const sentence of splitSentences(text))
    for (const [kind, parts] of partsOf(sentence.text).entries())
      for (const [index, first] of parts.entries())
        for (const second of parts.slice(index + 1)) {
          const places = talk
            .map((sentenceSaid) => [first, second].map((part) => sentenceSaid[kind]?.indexOf(part) ?? -1))
            .filter((both) => !both.includes(-1))
          if (places.length > 0 && places.every(([one = 0, other = 0]) => other < one))
            return open('it names two people, places or numbers in the other order')
        }
  return null
}
