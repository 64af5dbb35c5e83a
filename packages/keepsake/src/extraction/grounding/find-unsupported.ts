import type { Candidate } from '../../memories/candidate.ts'
import { normaliseText } from '@keepsake/text'
import type { Turn } from '../../turns/turn.ts'

const NAME = /(?<![.!?。！？]\s*)(?<=\S\s*)\b\p{Lu}[\p{L}'’-]+/gu
const NUMBER = /\d+(?:[.,:]\d+)*|[〇零一二三四五六七八九十百千万两]{2,}/gu
const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
/** Capitalised words that are no names, or come from the third person. */
const NOT_A_NAME = /^(?:the|a|an|and|user|user's|users|i|i'm|they|their)$/i

/**
 * Returns names and numbers of a statement that its evidence lacks. Subject and speakers are known; numbers of its
 * dates are allowed.
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

export const DAY_MS = 86_400_000

/** Returns the days of the statement's and turns' times, with their neighbours for other time zones. */
export function daysOfTimes(candidate: Candidate, turns: readonly Turn[]): Date[] {
  const times = [candidate.validFrom, candidate.validUntil, ...turns.map((turn) => turn.at)]
  return times
    .flatMap((time) => (time === null ? [] : [time - DAY_MS, time, time + DAY_MS]))
    .map((time) => new Date(time))
    .filter((day) => !Number.isNaN(day.getTime()))
}

function numbersOfTimes(candidate: Candidate, turns: readonly Turn[]): Set<string> {
  const parts = daysOfTimes(candidate, turns).flatMap((day) => [
    day.getUTCFullYear(),
    day.getUTCMonth() + 1,
    day.getUTCDate(),
  ])
  // Both forms: "3" of "3 May", "03" of "2024-05-03".
  return new Set(parts.flatMap((part) => [String(part), String(part).padStart(2, '0')]))
}
