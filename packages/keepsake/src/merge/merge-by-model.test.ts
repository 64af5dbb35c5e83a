import { describe, expect, it } from 'vitest'
import type { Candidate } from '../memories/candidate.ts'
import { scriptedAsk } from '../models/scripted-ask-fixture.ts'
import { keyTable } from '../persona/key-table.ts'
import type { KnownFact, MergeDecision } from './known-facts.ts'
import { mergeByKey } from './merge-by-key.ts'
import { mergeComplexByModel } from './merge-by-model.ts'

function known(value: string, rest: Partial<KnownFact> = {}): KnownFact {
  return {
    id: `k:${value}`,
    subject: 'user',
    key: 'promises',
    value,
    text: `The user promised ${value}.`,
    evidence: [{ turn: `t-${value}`, quote: value }],
    past: [],
    pinned: false,
    validFrom: 100,
    validUntil: null,
    ...rest,
  }
}

function promised(value: string, at = 200, subject = 'user'): Candidate {
  return {
    form: 'fact',
    type: 'event',
    subject,
    text: `The user promised ${value}.`,
    key: 'promises',
    value,
    level: 0,
    evidence: [{ turn: `u${at}`, quote: value }],
    validFrom: at,
    validUntil: null,
    signals: { arousal: null, surprise: null, importance: null },
  }
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
  const mergeComplex = await mergeComplexByModel(candidates, facts, ask, 'en')
  const options = { table: keyTable(), similarity: () => 0, threshold: 1, mergeComplex }
  return {
    decisions: mergeByKey(facts, candidates, options),
    asked: ask.asked.length,
    problems: ask.asked[0]?.problems ?? [],
    shown: ask.asked[0]?.user ?? '',
  }
}

describe('mergeComplexByModel', () => {
  it('adds what holds beside the known', async () => {
    const { decisions } = await decide([known('a trip')], [promised('a letter')], merge(1, 'keep-both'))
    expect(decisions).toMatchObject([{ kind: 'add', candidate: { value: 'a letter' } }])
  })

  it('takes what is known already as more evidence', async () => {
    const { decisions } = await decide([known('a trip')], [promised('a journey')], merge(1, 'known', [1]))
    expect(decisions).toEqual([
      {
        kind: 'none',
        memory: 'k:a trip',
        evidence: [{ turn: 'u200', quote: 'a journey' }],
        why: 'known already',
      },
    ])
  })

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

  it('shows each person’s values only to their own', async () => {
    const facts = [known('a trip'), known('a duel', { subject: 'Tom' })]
    const { shown } = await decide(facts, [promised('a letter')], merge(1, 'keep-both'))
    expect(shown).toContain('a trip')
    expect(shown).not.toContain('a duel')
  })

  it('leaves to the rule what the answer leaves out, answers twice, or empties', async () => {
    const facts = [known('a trip')]
    const rule = { kind: 'add', why: 'promises takes several values' }
    for (const answers of [
      [merge(9, 'known', [1])],
      [merge(1, 'known', [1]), merge(1, 'keep-both')],
      [merge(1, 'known', [5])],
      [merge(1, 'replace', [1], '', '')],
    ]) {
      const { decisions, problems } = await decide(facts, [promised('a letter')], ...answers)
      expect(decisions).toMatchObject([rule])
      expect(problems.length).toBeGreaterThan(0)
    }
  })

  it('asks nothing where nothing is there to meet', async () => {
    const { decisions, asked } = await decide([], [promised('a letter')])
    expect([decisions.length, asked]).toEqual([1, 0])
  })
})
