// Compares the order of people, places and numbers with the talk: “Ana lent Ben 5” is not “Ben lent Ana 5”.
import { findTerms, isEnglishFunctionWord, normaliseText, splitSentences } from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import { RELATION_OF } from './compare-claim.ts'
import { CALENDAR, DATE } from './compare-particulars.ts'
import { open, type Difference, type Talk } from './difference.ts'

const RELATIONS = [...RELATION_OF.keys()]
  .toSorted((one, other) => other.length - one.length)
  .map((word) => (/^\p{ASCII}+$/u.test(word) ? String.raw`\b${word}\b` : word))
/** Kinds of parts that a verb joins: numbers, names, relations. Only parts of one kind can be exchanged by mistake. */
const KINDS = [
  /\p{Nd}[\p{Nd}.,]*\p{Nd}|\p{Nd}/gu,
  /(?<!\p{L})(?!(?:Mrs?|Ms|Dr)\b)\p{Lu}[\p{L}’'-]*\p{L}|[小老阿](?!时候|家|师)\p{Script=Han}|(?<=从|到了?|往)(?!了)\p{Script=Han}{2}/gu,
  new RegExp(RELATIONS.join('|'), 'giu'),
]
/** Matches a sentence that compares two things: “prefers tea to coffee”. */
const COMPARES = /\b(?:prefer(?:s|red)?|rather|(?:better|worse|more|less) than|instead of)\b/iu

/** Returns the parts of a sentence by kind, each once and in order. The terms of a comparison are the last kind. */
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

/** Checks for two parts that come in the other order in all sentences of the talk with both; `null` if there are none. */
export function compareOrder({ text }: Candidate, said: Talk): Difference | null {
  const talk = said.turns
    .flatMap((turn) => splitSentences(turn.text))
    .map((sentence) => partsOf(sentence.text))
  for (const sentence of splitSentences(text))
    for (const [kind, parts] of partsOf(sentence.text).entries())
      for (const [index, first] of parts.entries())
        for (const second of parts.slice(index + 1))
          if (isReversed([first, second], kind, talk))
            return open('it names two people, places or numbers in the other order')
  return null
}

/** Checks whether all sentences with both parts have the second before the first, and there is such a sentence. */
function isReversed(pair: readonly string[], kind: number, talk: readonly string[][][]): boolean {
  const places = talk
    .map((sentence) => pair.map((part) => sentence[kind]?.indexOf(part) ?? -1))
    .filter((both) => !both.includes(-1))
  return places.length > 0 && places.every(([first = 0, second = 0]) => second < first)
}
