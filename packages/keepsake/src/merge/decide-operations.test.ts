import { describe, expect, it } from 'vitest'
import type { Candidate, ProposedOperation } from '../memories/candidate.ts'
import { makeCandidate, makeFact } from '../memories/memory-fixture.ts'
import { decideOperations } from './decide-operations.ts'
import type { Memory } from '../memories/memory.ts'

const HEARD = [{ turn: 't9', quote: 'so it is' }]

/** A live fact, known since 100. */
function known(id: string, text: string, traits: Partial<Memory> = {}): Memory {
  return makeFact({ id, text, ...traits })
}

/** A statement that holds from 200. */
function said(text: string, traits: Partial<Candidate> = {}): Candidate {
  return makeCandidate({ text, evidence: HEARD, ...traits })
}

const add = (text: string, traits?: Partial<Candidate>): ProposedOperation => ({
  kind: 'add',
  candidate: said(text, traits),
})
const modify = (index: number, text: string, traits?: Partial<Candidate>): ProposedOperation => ({
  kind: 'modify',
  index,
  candidate: said(text, traits),
})
const remove = (
  index: number,
  why: 'asked' | 'no-longer-so',
  at = 300,
  evidence = HEARD,
): ProposedOperation => ({
  kind: 'delete',
  index,
  why,
  at,
  evidence,
})

const LYON = known('lyon', 'The user lives in Lyon.')
const DOG = known('dog', 'The user has a dog called Rex.')

const reasons = (operations: ProposedOperation[], shown: Memory[] = [LYON, DOG]): string[] =>
  decideOperations(operations, shown).rejected.map(({ reason }) => reason)

describe('what does not hold by itself', () => {
  it('is refused, each with its reason, and the rest is decided on', () => {
    const operations = [modify(3, 'The user lives in Paris.'), add(' '), modify(1, 'The user lives in Rome.')]
    expect(decideOperations(operations, [LYON, DOG])).toMatchObject({
      decisions: [{ kind: 'modify', memory: 'lyon', change: { text: 'The user lives in Rome.' } }],
      rejected: [
        { operation: operations[0], reason: 'it names a memory that was not shown' },
        { operation: operations[1], reason: 'it states nothing' },
      ],
    })
  })
})

describe('modify', () => {
  it('takes the place of what was so, which becomes past', () => {
    const traits = { key: 'residence', value: 'Paris' }
    const { decisions } = decideOperations([modify(1, 'The user lives in Paris.', traits)], [LYON, DOG])
    const { text, validFrom, evidence } = LYON
    expect(decisions).toEqual([
      {
        kind: 'modify',
        memory: 'lyon',
        change: {
          text: 'The user lives in Paris.',
          ...traits,
          evidence: HEARD,
          validFrom: 200,
          validUntil: null,
          past: [{ text, value: null, validFrom, validUntil: 200, evidence }],
        },
      },
    ])
  })

  it.each([
    ['The user likes coffee.', 'The user does not like coffee.'],
    ['The user likes coffee.', "The user doesn't like coffee."],
    ['The user is in debt.', 'The user is out of debt.'],
    ['The user moved from Lyon to Paris.', 'The user moved from Paris to Lyon.'],
    ['她是老师', '她不是老师'],
  ])('does not take %j and %j for the same', (before, after) => {
    expect(decideOperations([modify(1, after)], [known('m', before)]).decisions).toMatchObject([
      { kind: 'modify', change: { text: after, past: [{ text: before }] } },
    ])
    expect(decideOperations([add(after)], [known('m', before)]).decisions).toMatchObject([{ kind: 'add' }])
  })

  it('keeps the time when it says the same value in more words', () => {
    const dog = { ...DOG, key: 'pet', value: 'dog' }
    const traits = { key: 'pet', value: 'dog called Rex' }
    const { decisions } = decideOperations([modify(1, 'The user has an old dog called Rex.', traits)], [dog])
    expect(decisions).toEqual([
      {
        kind: 'modify',
        memory: 'dog',
        change: {
          text: 'The user has an old dog called Rex.',
          value: 'dog called Rex',
          evidence: [...DOG.evidence, ...HEARD],
        },
      },
    ])
    const lost = decideOperations([modify(1, 'The user has no dog any more.', traits)], [dog])
    expect(lost.decisions).toMatchObject([{ change: { past: [{ text: DOG.text }] } }])
  })

  it.each<[string, Partial<Memory>, Partial<Candidate>]>([
    ['a value of another key', { key: 'pet', value: 'dog' }, { key: 'likes', value: 'dog called Rex' }],
    ['values of no key', { key: null, value: 'dog' }, { key: null, value: 'dog called Rex' }],
    ['no value that is known', { key: 'pet', value: null }, { key: 'pet', value: 'dog called Rex' }],
    ['no value', { key: 'pet', value: 'dog' }, { key: 'pet', value: null }],
    ['another value', { key: 'pet', value: 'dog' }, { key: 'pet', value: 'cat' }],
    ['a value that says less', { key: 'pet', value: 'dog called Rex' }, { key: 'pet', value: 'dog' }],
    ['what is over', { key: 'pet', value: 'dog', validUntil: 150 }, { key: 'pet', value: 'dog called Rex' }],
    [
      'what it tells as over',
      { key: 'pet', value: 'dog' },
      { key: 'pet', value: 'dog called Rex', validUntil: 250 },
    ],
  ])('takes its place when it is about %s', (_, fact, statement) => {
    const shown = [{ ...DOG, ...fact }]
    const [decision] = decideOperations([modify(1, 'The user has an old dog.', statement)], shown).decisions
    expect(decision).toMatchObject({ change: { validFrom: 200, past: [{ text: DOG.text }] } })
  })

  it('keeps the time when it says the same value in other words', () => {
    const dog = { ...DOG, key: 'pet', value: 'dog' }
    const [decision] = decideOperations(
      [modify(1, 'The user keeps a dog.', { key: 'pet', value: 'a dog' })],
      [dog],
    ).decisions
    expect(decision).toMatchObject({ change: { text: 'The user keeps a dog.', value: 'a dog' } })
    expect(decision).not.toHaveProperty('change.past')
  })

  it('makes room among what is past, so that at each time one thing was so', () => {
    const madrid = { text: 'in Madrid', value: null, validFrom: 10, validUntil: 90, evidence: [] }
    const late = modify(1, 'in Rome', { validFrom: 20, validUntil: 40 })
    const { decisions } = decideOperations([late], [{ ...LYON, past: [madrid] }])
    const past = decisions[0]?.kind === 'modify' ? (decisions[0].change.past ?? []) : []
    expect(past.map(({ text, validFrom, validUntil }) => [text, validFrom, validUntil])).toEqual([
      ['in Madrid', 10, 20],
      ['in Rome', 20, 40],
      ['in Madrid', 40, 90],
    ])
    const again = decideOperations([late], [{ ...LYON, past }])
    expect(again.decisions).toMatchObject([{ kind: 'confirm', evidence: [] }])
  })

  it('makes room for a moment among what is past', () => {
    const madrid = { text: 'in Madrid', value: null, validFrom: 10, validUntil: 90, evidence: [] }
    const late = modify(1, 'in Rome', { validFrom: 20, validUntil: 20 })
    const [decision] = decideOperations([late], [{ ...LYON, past: [madrid] }]).decisions
    const past = decision?.kind === 'modify' ? (decision.change.past ?? []) : []
    expect(past.map(({ validFrom, validUntil }) => [validFrom, validUntil])).toEqual([
      [10, 20],
      [20, 20],
      [20, 90],
    ])
  })

  it('begins again what had ended, and ends what is told as over', () => {
    const ended = { ...LYON, validUntil: 150 }
    expect(decideOperations([modify(1, LYON.text)], [ended]).decisions).toMatchObject([
      { change: { validFrom: 200, validUntil: null, past: [{ validFrom: 100, validUntil: 150 }] } },
    ])
    const over = modify(1, LYON.text, { validFrom: 100, validUntil: 180 })
    expect(decideOperations([over], [LYON]).decisions).toMatchObject([{ change: { validUntil: 180 } }])
    expect(decideOperations([over], [ended]).decisions).toMatchObject([{ kind: 'confirm' }])
  })
})

describe('a change dated before what is known', () => {
  const known = { ...LYON, validFrom: 100, learnedAt: 150 }

  /** What becomes of it when it was told at a time. */
  function told(at: number, traits: Partial<Candidate>, memory: Memory = known) {
    const { decisions } = decideOperations([modify(1, 'in Rome', traits)], [memory], () => at)
    return decisions[0]?.kind === 'modify' ? decisions[0].change : undefined
  }

  it('holds from its telling when it was told after what is known was learned', () => {
    expect(told(151, { validFrom: 20 })).toMatchObject({ text: 'in Rome', validFrom: 151, validUntil: null })
    expect(told(151, { validFrom: 20, validUntil: 30 })).toMatchObject({ validFrom: 151, validUntil: 151 })
    expect(told(151, { validFrom: 20, validUntil: 400 })).toMatchObject({ validFrom: 151, validUntil: 400 })
  })

  it('becomes past when it was told no later', () => {
    expect(told(150, { validFrom: 20 })).toEqual({ past: [expect.objectContaining({ validFrom: 20 })] })
  })

  it('holds from its date when that is not before what is known', () => {
    expect(told(900, { validFrom: 100 })).toMatchObject({ validFrom: 100 })
    expect(told(900, { validFrom: 99 })).toMatchObject({ validFrom: 900 })
  })
})

describe('delete', () => {
  it('deletes what the user asked to drop', () => {
    expect(decideOperations([remove(2, 'asked')], [LYON, DOG])).toEqual({
      decisions: [
        {
          kind: 'delete',
          memory: 'dog',
          validUntil: 300,
          request: HEARD,
          reason: 'the user asked to drop it',
        },
      ],
      rejected: [],
    })
  })

  it('does not fail an asked deletion for its date, and keeps the end that was known', () => {
    for (const at of [Number.NaN, -5])
      expect(decideOperations([remove(1, 'asked', at)], [LYON]).decisions).toMatchObject([
        { validUntil: 100 },
      ])
    const ended = { ...LYON, validUntil: 150 }
    expect(decideOperations([remove(1, 'asked')], [ended]).decisions).toMatchObject([{ validUntil: 150 }])
  })

  it('ends what is no longer so, and keeps it', () => {
    const evidence = [...LYON.evidence, ...HEARD]
    expect(decideOperations([remove(1, 'no-longer-so')], [LYON]).decisions).toEqual([
      { kind: 'modify', memory: 'lyon', change: { validUntil: 300, evidence } },
    ])
  })
})

describe('a memory that a model may not change', () => {
  it.each([
    ['pinned', { pinned: true }, 'it would change a pinned memory'],
    ['no plain statement', { form: 'summary' }, 'it names a memory that is no plain statement'],
  ] as const)('is dropped only when the user asks: %s', (_, traits, reason) => {
    const shown = [{ ...LYON, ...traits }]
    const operations = [modify(1, 'The user lives in Paris.'), remove(1, 'no-longer-so')]
    expect(decideOperations(operations, shown).decisions).toEqual([])
    expect(reasons(operations, shown)).toEqual([reason, reason])
    expect(decideOperations([remove(1, 'asked')], shown).decisions).toMatchObject([{ kind: 'delete' }])
  })

  it('takes evidence for what a pinned one says, and no end', () => {
    const shown = [{ ...LYON, pinned: true }]
    expect(decideOperations([add(LYON.text)], shown).decisions).toMatchObject([
      { kind: 'confirm', evidence: HEARD },
    ])
    expect(reasons([add(LYON.text, { validUntil: 250 })], shown)).toEqual(['it would change a pinned memory'])
  })
})

describe('several operations on one memory', () => {
  const paris = modify(1, 'The user lives in Paris.', { validFrom: 300 })
  const rome = modify(1, 'The user lives in Rome.', { validFrom: 200 })

  it('come to the change that holds from latest, of equals to the last', () => {
    for (const operations of [
      [paris, rome],
      [rome, paris],
    ]) {
      const { decisions, rejected } = decideOperations(operations, [LYON])
      expect(decisions).toMatchObject([
        { change: { text: 'The user lives in Paris.', past: [{ text: LYON.text }] } },
      ])
      expect(rejected).toMatchObject([{ operation: rome }])
    }
    const oslo = modify(1, 'The user lives in Oslo.', { validFrom: 300 })
    expect(decideOperations([paris, oslo], [LYON])).toMatchObject({
      decisions: [{ change: { text: 'The user lives in Oslo.' } }],
      rejected: [{ operation: paris }],
    })
  })

  it('count once when repeated, with the evidence of both', () => {
    const again = modify(1, 'the user lives in Paris', { evidence: [{ turn: 't10', quote: null }, ...HEARD] })
    const { decisions, rejected } = decideOperations([paris, again], [LYON])
    expect(decisions).toHaveLength(1)
    expect(decisions).toMatchObject([{ change: { evidence: [...HEARD, { turn: 't10', quote: null }] } }])
    expect(rejected).toEqual([])
    for (const why of ['asked', 'no-longer-so'] as const) {
      const twice = decideOperations([remove(1, why), remove(1, why)], [LYON])
      expect(twice.decisions).toHaveLength(1)
      expect(twice.rejected).toEqual([])
    }
  })

  it('come to a deletion when the user asked for it, whatever else is proposed', () => {
    const { decisions, rejected } = decideOperations(
      [paris, remove(1, 'no-longer-so'), remove(1, 'asked'), rome],
      [LYON],
    )
    expect(decisions).toMatchObject([{ kind: 'delete', memory: 'lyon' }])
    expect(rejected.map(({ operation }) => operation)).toEqual([paris, rome])
  })

  it('come to both when the change only tells of the past', () => {
    const late = modify(1, 'The user lives in Rome.', { validFrom: 20 })
    const { decisions } = decideOperations([late, remove(1, 'no-longer-so')], [LYON])
    expect(decisions).toMatchObject([
      { change: { past: [{ validUntil: 100 }] } },
      { change: { validUntil: 300 } },
    ])
  })

  it('leave it as it is when it is said to be so still', () => {
    const end = remove(1, 'no-longer-so')
    const { decisions, rejected } = decideOperations([modify(1, LYON.text), end], [LYON])
    expect(decisions).toMatchObject([{ kind: 'confirm' }])
    expect(rejected).toEqual([{ operation: end, reason: 'the same answer says that it is still so' }])
  })

  it('leave it when what is said again ends it, and the end is told besides', () => {
    const over = modify(1, LYON.text, { validUntil: 250 })
    const { decisions, rejected } = decideOperations([over, remove(1, 'no-longer-so')], [LYON])
    expect(decisions).toMatchObject([{ change: { validUntil: 250 } }])
    expect([decisions.length, rejected]).toEqual([1, []])
  })

  it('are not disturbed by one that states nothing', () => {
    const empty = modify(1, ' ', { validFrom: 900 })
    expect(decideOperations([paris, empty], [LYON])).toMatchObject({
      decisions: [{ change: { text: 'The user lives in Paris.' } }],
      rejected: [{ operation: empty }],
    })
  })
})

describe('add', () => {
  it('is none when a shown memory, or an earlier add, says the same', () => {
    const other = [{ turn: 't10', quote: null }]
    const operations = [
      add('The user lives in Lyon'),
      add('The user sings.'),
      add('User sings', { evidence: [...HEARD, ...other] }),
    ]
    const { decisions, rejected } = decideOperations(operations, [LYON])
    const [first, second, third] = decisions
    expect(first).toMatchObject({ kind: 'confirm', memory: 'lyon', evidence: HEARD })
    expect(second).toMatchObject({ kind: 'add' })
    expect(third).toMatchObject({
      kind: 'confirm',
      memory: second?.kind === 'add' ? second.ref : '',
      evidence: other,
    })
    expect(rejected).toEqual([])
  })

  it('is none when a shown memory said it before, from no later than what it says now', () => {
    const versions = ['The user lives in Oslo.', 'The user lives in Rome.'].map((text) => {
      return { text, value: null, validFrom: 10, validUntil: 90, evidence: [] }
    })
    const shown = [DOG, { ...LYON, past: versions }, { ...LYON, id: 'other', past: versions }]
    const rome = (validFrom: number) =>
      decideOperations([add('The user lives in Rome.', { validFrom })], shown)
    expect(rome(100).decisions).toEqual([{ kind: 'confirm', memory: 'lyon', evidence: [] }])
    expect(rome(101).decisions).toMatchObject([{ kind: 'add' }])
    const ofAnna = add('The user lives in Rome.', { subject: 'Anna', validFrom: 50 })
    expect(decideOperations([ofAnna], shown).decisions).toMatchObject([{ kind: 'add' }])
  })

  it('is none when a shown memory said it until the same answer made it more exact', () => {
    const dog = { ...DOG, key: 'pet', value: 'dog' }
    const exact = modify(1, 'The user has a dog named Max.', { key: 'pet', value: 'dog named Max' })
    const { decisions } = decideOperations([exact, add(DOG.text, { validFrom: 100 })], [dog])
    expect(decisions).toMatchObject([
      { kind: 'modify', change: { value: 'dog named Max' } },
      { kind: 'confirm', memory: 'dog', evidence: [] },
    ])
  })

  it('is new when only a summary says it, or what is live no more', () => {
    for (const shown of [{ ...LYON, form: 'summary' } as const, { ...LYON, status: 'deleted' } as const])
      expect(decideOperations([add(LYON.text)], [shown]).decisions).toMatchObject([{ kind: 'add' }])
  })

  it('does not bring back what the user asked to drop in the same answer', () => {
    expect(decideOperations([add(LYON.text), remove(1, 'asked')], [LYON])).toMatchObject({
      decisions: [{ kind: 'delete' }],
      rejected: [{ reason: 'the same answer drops that statement because the user asked for it' }],
    })
  })
})
