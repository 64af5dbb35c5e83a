import { describe, expect, it } from 'vitest'
import type { Candidate } from '../memories/candidate.ts'
import { makeMemory } from '../forget/policies/memory-fixture.ts'
import { decideOperations } from './decide-operations.ts'
import type { Memory } from '../memories/memory.ts'
import type { ProposedOperation } from '../memories/proposed-operation.ts'

const HEARD = [{ turn: 't9', quote: 'so it is' }]

/** A live fact, known since 100. */
function known(id: string, text: string, traits: Partial<Memory> = {}): Memory {
  const evidence = [{ turn: 't1', quote: null }]
  return makeMemory({ id, form: 'fact', type: 'persona', text, evidence, validFrom: 100, ...traits })
}

/** A statement that holds from 200. */
function said(text: string, traits: Partial<Candidate> = {}): Candidate {
  const signals = { arousal: null, surprise: null, importance: null }
  const plain = { form: 'fact', type: 'persona', subject: 'user', key: null, value: null, level: 0 } as const
  return { ...plain, text, evidence: HEARD, validFrom: 200, validUntil: null, signals, ...traits }
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

describe('a number', () => {
  it.each([0, -1, 3, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e308])(
    'is refused when it is %d of 2',
    (index) => {
      const operations = [modify(index, 'The user lives in Paris.'), remove(index, 'asked')]
      const { decisions, rejected } = decideOperations(operations, [LYON, DOG])
      expect(decisions).toEqual([])
      expect(rejected).toEqual(
        operations.map((operation) => ({ operation, reason: 'it names a memory that was not shown' })),
      )
    },
  )

  it.each(['deleted', 'forgotten', 'quarantined', 'erased'] as const)(
    'of a memory that is %s is refused',
    (status) => {
      const operations = [
        modify(1, 'The user lives in Paris.'),
        remove(1, 'asked'),
        remove(1, 'no-longer-so'),
      ]
      expect(reasons(operations, [{ ...LYON, status }])).toEqual(
        operations.map(() => 'it names a memory that is not live any more'),
      )
    },
  )
})

describe('a statement', () => {
  it.each(['', '  \n', '\u0000\u0007', '\u200b\ufeff', '\u2028'])('that is %j is refused', (text) => {
    expect(reasons([add(text), modify(1, text)])).toEqual(['it states nothing', 'it states nothing'])
  })

  it('must say of whom it is, at a time, and not end before it begins', () => {
    const operations = [
      add('Sings.', { subject: ' ' }),
      add('The user sings.', { validFrom: Number.NaN }),
      add('The user sings.', { validFrom: 9e15 }),
      modify(1, 'The user sings.', { validUntil: Number.POSITIVE_INFINITY }),
      modify(1, 'The user sings.', { validUntil: 199 }),
    ]
    expect(reasons(operations)).toEqual([
      'it does not say whom it is about',
      'it holds at no time',
      'it holds at no time',
      'it holds at no time',
      'it ends before it begins',
    ])
  })

  it('is mended: one line of well-formed Unicode, with no value that is empty', () => {
    const evidence = [...HEARD]
    const { decisions } = decideOperations(
      [add('The user\u0000\nsings \ud800!', { value: ' ', evidence, label: 'user-stated' })],
      [],
    )
    const mended = { text: 'The user sings \ufffd!', value: null, evidence, label: 'user-stated' }
    expect(decisions).toMatchObject([{ candidate: mended }])
  })

  it('holds at whole milliseconds, as JSON knows them', () => {
    const { decisions } = decideOperations([add('The user sings.', { validFrom: -0, validUntil: 5.7 })], [])
    expect(decisions).toMatchObject([{ candidate: { validFrom: 0, validUntil: 5 } }])
  })

  it('is refused with evidence that no turn can hold', () => {
    expect(reasons([add('The user sings.', { evidence: [{ turn: 't1', quote: '\udfff' }] })])).toEqual([
      'its evidence is no text of a turn',
    ])
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
        why: 'something else is so now',
      },
    ])
  })

  it('keeps the end that was known of what was so', () => {
    const { decisions } = decideOperations(
      [modify(1, 'The user lives in Paris.')],
      [{ ...LYON, validUntil: 150 }],
    )
    expect(decisions).toMatchObject([{ change: { past: [{ validFrom: 100, validUntil: 150 }] } }])
  })

  it('is none when it says the same, with its evidence', () => {
    expect(decideOperations([modify(1, 'user LIVES in lyon')], [LYON])).toEqual({
      decisions: [{ kind: 'none', memory: 'lyon', evidence: HEARD, why: 'known already' }],
      rejected: [],
    })
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
        why: 'said more exactly',
      },
    ])
    const lost = decideOperations([modify(1, 'The user has no dog any more.', traits)], [dog])
    expect(lost.decisions).toMatchObject([{ change: { past: [{ text: DOG.text }] } }])
  })

  it('becomes past when it holds from earlier than what is known', () => {
    const late = modify(1, 'The user lives in Rome.', { validFrom: 20 })
    const { decisions } = decideOperations([late], [LYON])
    const version = {
      text: 'The user lives in Rome.',
      value: null,
      validFrom: 20,
      validUntil: 100,
      evidence: HEARD,
    }
    expect(decisions).toMatchObject([{ kind: 'modify', memory: 'lyon', change: { past: [version] } }])
    expect(decisions[0]?.kind === 'modify' && Object.keys(decisions[0].change)).toEqual(['past'])
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
    expect(again.decisions).toMatchObject([{ kind: 'none', evidence: [] }])
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
    expect(decideOperations([over], [ended]).decisions).toMatchObject([{ kind: 'none' }])
  })

  it('is an add when it is about somebody else than the memory', () => {
    const { decisions, rejected } = decideOperations(
      [modify(1, 'Anna lives in Paris.', { subject: 'Anna' })],
      [LYON],
    )
    expect(decisions).toMatchObject([{ kind: 'add', candidate: { subject: 'Anna' } }])
    expect(rejected).toEqual([])
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
          asked: HEARD,
          why: 'the user asked to drop it',
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
      { kind: 'modify', memory: 'lyon', change: { validUntil: 300, evidence }, why: 'no longer so' },
    ])
  })

  it('ends nothing that ended, or that began later', () => {
    const ended = { ...LYON, validUntil: 150 }
    expect(decideOperations([remove(1, 'no-longer-so')], [ended]).decisions).toMatchObject([
      { kind: 'none', evidence: HEARD },
    ])
    expect(decideOperations([remove(1, 'no-longer-so', 99)], [LYON]).decisions).toMatchObject([
      { kind: 'none', evidence: [] },
    ])
  })

  it('needs evidence, and an end needs a time', () => {
    const operations = [
      remove(1, 'asked', 300, []),
      remove(1, 'no-longer-so', 300, []),
      remove(1, 'no-longer-so', Number.NaN),
    ]
    expect(reasons(operations)).toEqual([
      'it deletes a memory and gives no evidence',
      'it deletes a memory and gives no evidence',
      'it says since when something is over, and that is no time',
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
      { kind: 'none', evidence: HEARD },
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

  it('come to the change when it is no longer so and something else is', () => {
    for (const operations of [
      [paris, remove(1, 'no-longer-so')],
      [remove(1, 'no-longer-so'), paris],
    ]) {
      const { decisions, rejected } = decideOperations(operations, [LYON])
      expect(decisions).toMatchObject([
        { kind: 'modify', change: { text: 'The user lives in Paris.', validUntil: null } },
      ])
      expect(rejected).toEqual([])
    }
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
    expect(decisions).toMatchObject([{ kind: 'none' }])
    expect(rejected).toEqual([{ operation: end, reason: 'the same answer says that it is still so' }])
  })

  it('are settled by memory, also when it was shown under two numbers', () => {
    const { decisions } = decideOperations(
      [remove(1, 'asked'), modify(2, 'The user lives in Paris.')],
      [LYON, LYON],
    )
    expect(decisions).toMatchObject([{ kind: 'delete' }])
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
  it('is new when nothing shown says it', () => {
    expect(decideOperations([add('The user sings.')], [LYON]).decisions).toMatchObject([
      { kind: 'add', candidate: { text: 'The user sings.' } },
    ])
    const ofAnna = decideOperations([add(LYON.text, { subject: 'Anna' })], [LYON])
    expect(ofAnna.decisions).toMatchObject([{ kind: 'add' }])
  })

  it('is none when a shown memory, or an earlier add, says the same', () => {
    const other = [{ turn: 't10', quote: null }]
    const operations = [
      add('The user lives in Lyon'),
      add('The user sings.'),
      add('User sings', { evidence: [...HEARD, ...other] }),
    ]
    const { decisions, rejected } = decideOperations(operations, [LYON])
    const [first, second, third] = decisions
    expect(first).toMatchObject({ kind: 'none', memory: 'lyon', evidence: HEARD })
    expect(second).toMatchObject({ kind: 'add' })
    expect(third).toMatchObject({
      kind: 'none',
      memory: second?.kind === 'add' ? second.ref : '',
      evidence: other,
    })
    expect(rejected).toEqual([])
  })

  it('meets a memory as the same answer leaves it', () => {
    const { decisions } = decideOperations(
      [add('The user lives in Paris.'), modify(1, 'The user lives in Paris.'), add(LYON.text)],
      [LYON],
    )
    expect(decisions.map(({ kind }) => kind)).toEqual(['modify', 'none', 'none'])
  })

  it('does not bring back what the user asked to drop in the same answer', () => {
    expect(decideOperations([add(LYON.text), remove(1, 'asked')], [LYON])).toMatchObject({
      decisions: [{ kind: 'delete' }],
      rejected: [{ reason: 'the same answer drops that statement because the user asked for it' }],
    })
  })
})
