import { describe, expect, it } from 'vitest'
import type { Candidate } from '../memories/candidate.ts'
import { makeCandidate, makeFact } from '../memories/memory-fixture.ts'
import { scriptedAsk } from '../models/scripted-ask-fixture.ts'
import { keyTable } from '@keepsake/text'
import type { KnownFact } from '../facts/fact-lookup.ts'
import type { MergeDecision } from './merge-decisions.ts'
import { mergeByKey } from './merge-facts.ts'
import { mergeComplexByModel } from './merge-by-model.ts'

function promise(value: string, turn: string) {
  const text = `The user promised ${value}.`
  return { key: 'promises', value, text, evidence: [{ turn, quote: value }] }
}

function known(value: string, rest: Partial<KnownFact> = {}): KnownFact {
  return makeFact({ id: `k:${value}`, ...promise(value, `t-${value}`), ...rest })
}

function promised(value: string, at = 200, subject = 'user'): Candidate {
  return makeCandidate({ ...promise(value, `u${at}`), subject, validFrom: at })
}

const merge = (item: number, action: string, values: number[] = [], value = '', text = ''): object => ({
  item,
  action,
  values,
  value,
  text,
})

async function decide(
  facts: readonly KnownFact[],
  candidates: readonly Candidate[],
  ...merges: object[]
): Promise<{
  decisions: readonly MergeDecision[]
  asked: number
  problems: readonly string[]
  shown: string
}> {
  const ask = scriptedAsk(...(merges.length === 0 ? [] : [{ merges }]))
  const mergeComplex = await mergeComplexByModel(candidates, facts, ask)
  const options = { table: keyTable(), isAlike: () => false, mergeComplex }
  return {
    decisions: mergeByKey(facts, candidates, options),
    asked: ask.asked.length,
    problems: ask.asked[0]?.problems ?? [],
    shown: ask.asked[0]?.user ?? '',
  }
}

describe('mergeComplexByModel', () => {
  it('words several values anew as one, keeping what was said as past', async () => {
    const facts = [known('a trip'), known('a trip in May')]
    const text = 'The user promised a trip to Nice in June.'
    const { decisions } = await decide(
      facts,
      [promised('Nice in June')],
      merge(1, 'replace', [1, 2], 'a trip to Nice in June', text),
    )
    expect(decisions).toMatchObject([
      {
        kind: 'modify',
        memory: 'k:a trip',
        change: {
          text,
          value: 'a trip to Nice in June',
          validFrom: 200,
          evidence: [{ turn: 't-a trip' }, { turn: 't-a trip in May' }, { turn: 'u200' }],
          past: [{ value: 'a trip', validFrom: 100, validUntil: 200 }],
        },
      },
      { kind: 'delete', memory: 'k:a trip in May', validUntil: 200 },
    ])
  })

  it('lets a new value meet one that came before it in the same snapshot', async () => {
    const candidates = [promised('a longer letter', 300), promised('a letter', 200)]
    const { decisions, asked } = await decide(
      [known('a trip')],
      candidates,
      merge(1, 'keep-both'),
      merge(2, 'replace', [2], 'a longer letter', 'The user promised a longer letter.'),
    )
    const [added, changed] = decisions
    expect(asked).toBe(1)
    expect(added).toMatchObject({ kind: 'add', candidate: { value: 'a letter' } })
    expect(changed).toMatchObject({
      kind: 'modify',
      memory: added?.kind === 'add' ? added.ref : '',
      change: { value: 'a longer letter' },
    })
  })

  it('lets a later value meet what one before it turned out to say', async () => {
    const { decisions } = await decide(
      [known('a trip')],
      [promised('a journey', 200), promised('a journey to Nice', 300)],
      merge(1, 'known', [1]),
      merge(2, 'replace', [2], 'a trip to Nice', 'The user promised a trip to Nice.'),
    )
    expect(decisions).toMatchObject([
      { kind: 'confirm', memory: 'k:a trip' },
      { kind: 'modify', memory: 'k:a trip', change: { value: 'a trip to Nice' } },
    ])
  })

  it('shows each value what its person and key has, known and new, numbered across all', async () => {
    const facts = [
      known('a trip'),
      known('a secret', { key: 'secrets' }),
      known('a duel', { subject: 'Tom' }),
      known('vague', { value: null }),
      known('a song'),
    ]
    const candidates = [
      promised('a longer letter', 300),
      promised('a letter', 200),
      { ...promised('nothing', 210), value: null },
      { ...promised('keyless', 220), key: null },
      promised('a horse', 250, 'Tom'),
      promised('a hat', 260, 'Mia'),
    ]
    const answers = [1, 2, 3, 4].map((item) => merge(item, 'keep-both'))
    const { shown, problems, decisions } = await decide(facts, candidates, ...answers)
    expect(shown.split('\n')).toEqual([
      '<values>',
      '[1] user, promises',
      '  (1) known: "a trip" — "The user promised a trip."',
      '  (2) known: "a song" — "The user promised a song."',
      '  new: "a letter" — "The user promised a letter."',
      '[2] Tom, promises',
      '  (4) known: "a duel" — "The user promised a duel."',
      '  new: "a horse" — "The user promised a horse."',
      '[3] Mia, promises',
      '  new: "a hat" — "The user promised a hat."',
      '[4] user, promises',
      '  (1) known: "a trip" — "The user promised a trip."',
      '  (2) known: "a song" — "The user promised a song."',
      '  (3) known: "a letter" — "The user promised a letter."',
      '  new: "a longer letter" — "The user promised a longer letter."',
      '</values>',
    ])
    expect(problems).toEqual([])
    expect(decisions.map((decision) => decision.kind === 'add' && decision.ref)).toEqual([
      'complex:3',
      'new:1',
      'new:2',
      'complex:5',
      'complex:6',
      'complex:7',
    ])
  })

  it('keeps whose word the merged value is, and when it was so, trimmed of what is about it', async () => {
    const told = { ...promised('Nice', 50), label: 'user-confirmed' as const }
    const facts = [known('a trip'), known('a song', { validFrom: 300 })]
    const answer = merge(1, 'replace', [1, 2], ' a trip to Nice ', ' The user promised a trip to Nice.\n')
    const { decisions } = await decide(facts, [told], answer)
    expect(decisions).toMatchObject([
      {
        change: {
          label: 'user-confirmed',
          value: 'a trip to Nice',
          text: 'The user promised a trip to Nice.',
          validFrom: 100,
        },
      },
      { kind: 'delete', memory: 'k:a song', validUntil: 300, reason: 'merged into another value of its key' },
    ])
  })

  it('leaves to the rule what the answer leaves out, answers twice, misnames or empties', async () => {
    const facts = [known('a trip')]
    const rule = { kind: 'add' }
    const cases: [problems: number, ...answers: object[]][] = [
      [2, merge(9, 'known', [1])],
      [1, merge(1, 'known', [1]), merge(1, 'keep-both')],
      [1, merge(1, 'known', [5])],
      [1, merge(1, 'known', [])],
      [1, merge(1, 'replace', [1], '', 'The user promised a letter.')],
      [1, merge(1, 'replace', [1], 'a letter', ' ')],
    ]
    for (const [count, ...answers] of cases) {
      const { decisions, problems } = await decide(facts, [promised('a letter')], ...answers)
      expect(decisions).toMatchObject([rule])
      expect(problems).toHaveLength(count)
    }
  })

  it('asks about new values that meet only each other', async () => {
    const candidates = [promised('a letter', 200), promised('a long letter', 300)]
    const { decisions, asked } = await decide([], candidates, merge(1, 'keep-both'), merge(2, 'known', [1]))
    expect(asked).toBe(1)
    expect(decisions).toMatchObject([{ kind: 'add' }, { kind: 'confirm', memory: 'complex:1' }])
  })
})
