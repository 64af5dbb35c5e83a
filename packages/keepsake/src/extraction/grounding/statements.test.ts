import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { candidateOf } from '../../memories/candidate.ts'
import { makeTurn } from '../../turns/turn-fixture.ts'
import { evidenceOf } from '../answer-parts.ts'
import { checkCandidate, decideByAttribution } from './check-candidate.ts'

/** A statement by people who have not seen the rules, true or with one fault. */
interface Sample {
  readonly turns: readonly {
    readonly id: string
    readonly role: string
    readonly text: string
    readonly at: string
  }[]
  readonly statement: string
  readonly quote: string
  readonly turn: string
  readonly isTrue: boolean
}

const FOLDER = new URL('../../../../bench/data/statements/', import.meta.url)

/** Counts what becomes of statements before a model is asked. */
function measure(language: 'en' | 'zh', half: 'first' | 'second') {
  const lines = readFileSync(new URL(`${language}.jsonl`, FOLDER), 'utf8')
    .trim()
    .split('\n')
  const middle = lines.length / 2
  const samples = (half === 'first' ? lines.slice(0, middle) : lines.slice(middle)).map(
    (line) => JSON.parse(line) as Sample,
  )
  const counts = { faults: 0, believed: 0, truths: 0, refused: 0, asked: 0 }
  for (const { turns: given, statement, quote, turn, isTrue } of samples) {
    const turns = given.map(({ id, role, text, at }, place) =>
      makeTurn({
        id,
        text,
        role: role === 'user' ? 'user' : 'assistant',
        at: Date.parse(at),
        position: place + 1,
        speaker: null,
      }),
    )
    const number = turns.findIndex(({ id }) => id === turn) + 1
    const evidence = evidenceOf([{ turn: number, quote }], turns)
    const candidate = candidateOf({ text: statement, evidence, validFrom: turns[number - 1]?.at ?? 0 })
    const check = checkCandidate(candidate, turns)
    const { outcome } = decideByAttribution(check, 'user-stated', candidate, turns) ?? check
    counts[isTrue ? 'truths' : 'faults'] += 1
    if (!isTrue && outcome === 'grounded') counts.believed += 1
    if (isTrue && outcome === 'quarantined') counts.refused += 1
    if (isTrue && outcome === 'unsure') counts.asked += 1
  }
  return counts
}

// The rules were written with the first halves in view. The second halves show what they do with new statements.
describe('statements with one planted fault, and true ones', () => {
  it.each([
    ['en', 'first', { believed: 0, refused: 0, asked: 0.45 }],
    ['zh', 'first', { believed: 0, refused: 0, asked: 0.62 }],
    ['en', 'second', { believed: 0.15, refused: 0.02, asked: 0.55 }],
    ['zh', 'second', { believed: 0.05, refused: 0, asked: 0.56 }],
  ] as const)(
    'in %s, the %s half: few faults are believed, and few truths refused',
    (language, half, most) => {
      const { faults, believed, truths, refused, asked } = measure(language, half)
      expect(believed / faults).toBeLessThanOrEqual(most.believed)
      expect(refused / truths).toBeLessThanOrEqual(most.refused)
      expect(asked / truths).toBeLessThanOrEqual(most.asked)
    },
  )
})
