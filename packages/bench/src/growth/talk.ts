import type { TurnInput } from 'keepsake'
import { seededRandom } from '../metrics/seeded-random.ts'
import { zipfWords } from '../perf/generate.ts'

/** `plain` tells nothing of anybody, `rich` a fact or two a turn, `greedy` ever new values of the same keys and ever new people. */
export const TALKS = ['plain', 'rich', 'greedy'] as const
export type Talk = (typeof TALKS)[number]

const KIN = ['sister', 'brother', 'mother', 'boss', 'neighbour'] as const
const FROM = Date.UTC(2026, 0, 1)

/**
 * What a user says, and an agent's short reply to each, the same for the same seed: rounds a minute apart.
 *
 * @example
 * const nextTurn = talkGenerator('rich', 1)
 * const turns = Array.from({ length: 500 }, nextTurn)
 */
export function talkGenerator(talk: Talk, seed: number): () => TurnInput {
  const nextWord = zipfWords(seed)
  const random = seededRandom(seed + 1)
  const below = (count: number): number => Math.floor(random() * count)
  const tell = { plain, rich, greedy }[talk]
  let made = 0
  return () => {
    const at = FROM + 30_000 * made
    const round = made >> 1
    made += 1
    if (made % 2 === 0) return { role: 'agent', text: `I see. Tell me more of the ${nextWord()}.`, at }
    return { role: 'user', text: tell(round, nextWord, below), at }
  }
}

function plain(_: number, word: () => string): string {
  return `We talked of the ${word()} and the ${word()} for a while, then it was ${word()} ${word()} again.`
}

function rich(round: number, word: () => string, below: (count: number) => number): string {
  const said = [
    `I like ${word()} ${word()} and ${word()}.`,
    `My ${KIN[below(KIN.length)]} is called ${word()} and lives in ${word()}.`,
    `I moved to ${word()} last week, and I work as a ${word()} maker.`,
    `I hate ${word()} ${word()}. I went to ${word()} yesterday.`,
    `We talked of the ${word()} for a while, and it was ${word()}.`,
    `I have been learning ${word()} since ${2_000 + below(20)}.`,
  ]
  return said[round % said.length] ?? ''
}

function greedy(round: number): string {
  return `My friend Bob${round} hates thing${round}. My sister went to place${round}.`
}
