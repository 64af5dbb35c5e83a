import { describe, expect, it } from 'vitest'
import type { Extraction } from '../extraction/extractor.ts'
import type { Candidate } from '../memories/candidate.ts'
import type { Evidence } from '../memories/evidence.ts'
import { makeCandidate, makeFact } from '../memories/memory-fixture.ts'
import { scriptedAsk } from '../models/scripted-ask-fixture.ts'
import { keepsake } from '../presets/keepsake.ts'
import type { Preset } from '../presets/preset.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import type { Turn } from '../turns/turn.ts'
import { openEngine } from '../work/engine-fixture.ts'
import { groundExtraction, type GroundingInput } from './ground-extraction.ts'

const TURNS = [
  makeTurn({ id: 't1', position: 1, text: 'I live in Lyon.' }),
  makeTurn({ id: 't2', position: 2, role: 'assistant', text: 'You keep bees there.' }),
  makeTurn({ id: 't3', position: 3, text: 'Should I move to Paris?' }),
]
const said = (text: string, evidence: readonly Evidence[]): Candidate =>
  makeCandidate({ text, evidence, validFrom: makeTurn().at })

/** Its words are there. */
const LYON = said('The user lives in Lyon.', [{ turn: 't1', quote: 'I live in Lyon' }])
/** Its words are nowhere. */
const OSLO = said('The user lives in Oslo.', [{ turn: 't1', quote: 'I live in Oslo' }])
/** Its words are there, and ask. */
const PARIS = said('The user moves to Paris.', [{ turn: 't3', quote: 'I move to Paris' }])
const OF_AGENT = said('The user keeps bees.', [{ turn: 't2', quote: 'You keep bees' }])
const OPEN = 'its evidence leaves open whether it is so: it rests on a question'

interface Given extends Partial<GroundingInput> {
  readonly grounding?: Preset['grounding']
  readonly turns?: readonly Turn[]
}

async function ground(
  extraction: Partial<Extraction>,
  { grounding = 'model', turns = TURNS, ask = null, isWrittenByModel = true, known = [] }: Given = {},
) {
  const { engine } = await openEngine({ preset: { ...keepsake(), grounding } })
  const segment = { scope: 1, session: 's1', sessionNumber: 1, round: 1, turns }
  const read = { candidates: [], requests: [], ...extraction }
  return groundExtraction(engine, segment, read, { ask, isWrittenByModel, known })
}

async function verdicts(candidates: readonly Candidate[], given?: Given) {
  const grounded = await ground({ candidates }, given)
  return grounded.candidates.map(({ candidate, reason }) => [candidate.label, reason])
}

const verdict = (statement: number, verdict: string, reason = 'so it is') => ({ statement, verdict, reason })

describe('what a model worded', () => {
  it('is believed or not by the cheap checks where they can tell, and nobody is asked', async () => {
    const ask = scriptedAsk()
    expect(await verdicts([LYON, OSLO], { ask })).toEqual([
      ['user-stated', null],
      ['user-stated', 'its quote is not in turn t1'],
    ])
    expect(ask.asked).toEqual([])
  })

  it('is put to a model once, all of it that they leave open', async () => {
    const ask = scriptedAsk({ verdicts: [verdict(1, 'not-supported'), verdict(2, 'confirmed-by-user')] })
    const again = { ...PARIS, text: 'The user will move to Paris.' }
    expect(await verdicts([PARIS, LYON, again, OSLO], { ask })).toEqual([
      ['user-stated', 'the talk does not support it: so it is'],
      ['user-stated', null],
      ['user-confirmed', null],
      ['user-stated', 'its quote is not in turn t1'],
    ])
    expect(ask.asked).toHaveLength(1)
  })

  it('is shown with what is known and what the rest of the segment bears out', async () => {
    const ask = scriptedAsk({ verdicts: [verdict(1, 'not-supported')] })
    const known = [makeFact({ text: 'The user has a garden.' })]
    await verdicts([PARIS, LYON, OSLO], { ask, known })
    const shown = ask.asked[0]?.user ?? ''
    expect(shown.indexOf('The user has a garden.')).toBeGreaterThan(0)
    expect(shown.indexOf('The user lives in Lyon.')).toBeGreaterThan(shown.indexOf('The user has a garden.'))
    expect(shown).not.toContain('Oslo')
    expect(ask.asked[0]?.language).toBe('en')
  })

  it('is asked about in the language of the talk', async () => {
    const turns = [makeTurn({ id: 't3', text: '我该搬去巴黎吗？' })]
    const paris = said('用户要搬去巴黎。', [{ turn: 't3', quote: '搬去巴黎' }])
    const ask = scriptedAsk({ verdicts: [verdict(1, 'not-supported')] })
    await verdicts([paris], { ask, turns })
    expect(ask.asked).toMatchObject([{ language: 'zh' }])
  })

  it.each<[string, Given]>([
    ['the preset asks none', { grounding: 'rules', ask: scriptedAsk() }],
    ['there is none', { grounding: 'model', ask: null }],
  ])('is doubted where it is left open and %s', async (_, given) => {
    expect(await verdicts([PARIS, LYON], given)).toEqual([
      ['user-stated', OPEN],
      ['user-stated', null],
    ])
  })

  it('is believed whatever is found where the preset grounds nothing, and says whose word it is', async () => {
    expect(await verdicts([PARIS, OSLO], { grounding: 'off', ask: scriptedAsk() })).toEqual([
      ['user-stated', null],
      ['user-stated', null],
    ])
  })
})

describe('what rules drew', () => {
  it('is checked word by word, and no model is asked', async () => {
    const ask = scriptedAsk()
    expect(await verdicts([LYON, OF_AGENT], { ask, isWrittenByModel: false })).toEqual([
      ['user-stated', null],
      ['agent-stated', 'only the agent said so; the user neither stated nor confirmed it'],
    ])
    expect(ask.asked).toEqual([])
  })
})

describe('everything that a segment yields', () => {
  it('is grounded', async () => {
    const { candidates } = await ground({ candidates: [LYON, OSLO] })
    expect(candidates.map(({ candidate, reason }) => [candidate.text, reason])).toEqual([
      [LYON.text, null],
      [OSLO.text, 'its quote is not in turn t1'],
    ])
  })

  it('is grounded: what operations state, with what they would take the place of', async () => {
    const ask = scriptedAsk({ verdicts: [verdict(1, 'stated-by-user')] })
    const known = [makeFact({ text: 'The user has a dog.' }), makeFact({ text: 'The user has wasps.' })]
    const operations = [
      { kind: 'modify', index: 2, candidate: PARIS },
      { kind: 'add', candidate: OSLO },
      { kind: 'modify', index: 7, candidate: LYON },
    ] as const
    const grounded = await ground({ operations }, { ask, known })
    expect(grounded.candidates).toEqual([])
    expect(grounded.operations).toEqual([
      {
        operation: { ...operations[0], candidate: { ...PARIS, label: 'user-stated' } },
        reason: null,
      },
      {
        operation: { ...operations[1], candidate: { ...OSLO, label: 'user-stated' } },
        reason: 'its quote is not in turn t1',
      },
      { operation: { ...operations[2], candidate: { ...LYON, label: 'user-stated' } }, reason: null },
    ])
    expect(ask.asked[0]?.user).toContain('The user moves to Paris." (was: "1970-01-01: The user has wasps.")')
  })

  it('is grounded: a deletion keeps the evidence that stands, for the rules to check', async () => {
    const evidence = [
      { turn: 't1', quote: 'i live in lyon' },
      { turn: 't1', quote: 'I left Lyon' },
      { turn: 't9', quote: null },
    ]
    const operation = { kind: 'delete', index: 1, why: 'asked', at: 5, evidence } as const
    expect((await ground({ operations: [operation] })).operations).toEqual([
      { operation: { ...operation, evidence: [{ turn: 't1', quote: 'I live in Lyon' }] }, reason: null },
    ])
  })

  it('is nothing when it yields nothing', async () => {
    expect(await ground({})).toEqual({ candidates: [], operations: [] })
  })
})
