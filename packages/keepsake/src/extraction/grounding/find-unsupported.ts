import type { Candidate } from '../../memories/candidate.ts'
import { normaliseText } from '../../text/normalise-text.ts'
import type { Turn } from '../../turns/turn.ts'

const NAME = /(?<![.!?。！？]\s*)(?<=\S\s*)\b\p{Lu}[\p{L}'’-]+/gu
const NUMBER = /\d+(?:[.,:]\d+)*|[〇零一二三四五六七八九十百千万两]{2,}/gu
const WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
/** Capitalised in English without being a name, or brought in by the third person. */
const NOT_A_NAME = /^(?:the|a|an|and|user|user's|users|i|i'm|they|their)$/i

/**
 * Names and numbers of a statement that its evidence does not hold. The subject and the names of those who speak
 * are known without being said. A date follows from words like "yesterday" and the time of the turn, so numbers of
 * the time a candidate holds from are allowed.
 */
export function findUnsupported(candidate: Candidate, words: string, turns: readonly Turn[]): string[] {
  const said = normaliseText(words)
  const known = normaliseText([candidate.subject, ...turns.map((turn) => turn.speaker ?? '')].join(' '))
  const names = [...candidate.text.matchAll(NAME)]
    .map((match) => match[0].replace(/['’]s?$/, ''))
    .filter((name) => !NOT_A_NAME.test(name) && !has(said, name) && !has(known, name))
  const allowed = numbersOfTimes(candidate, turns)
  const numbers = [...candidate.text.matchAll(NUMBER)]
    .map((match) => match[0])
    .filter((number) => !has(said, number) && !allowed.has(number) && !isSpelledOut(number, said))
  return [...names, ...numbers]
}

function has(said: string, part: string): boolean {
  return said.includes(normaliseText(part))
}

function isSpelledOut(number: string, said: string): boolean {
  const word = WORDS[Number(number)]
  return word !== undefined && new RegExp(`\\b${word}\\b`).test(said)
}

function numbersOfTimes(candidate: Candidate, turns: readonly Turn[]): Set<string> {
  const times = [candidate.validFrom, candidate.validUntil, ...turns.map((turn) => turn.at)]
  const numbers = new Set<string>()
  for (const time of times) {
    const date = time === null ? null : new Date(time)
    if (date === null || Number.isNaN(date.getTime())) continue
    // A day either side: the speaker's day may not be Greenwich's.
    for (const shift of [-1, 0, 1]) {
      const day = new Date(date.getTime() + shift * 86_400_000)
      for (const part of [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()])
        // As a date writes them: "3" of "3 May", "03" of "2024-05-03".
        for (const digits of [1, 2]) numbers.add(String(part).padStart(digits, '0'))
    }
  }
  return numbers
}
