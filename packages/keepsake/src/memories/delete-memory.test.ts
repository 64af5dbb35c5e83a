import { describe, expect, it } from 'vitest'
import { changesOver, makeFact, makeMemory, ORIGIN } from './memory-fixture.ts'
import {
  ASKED_TO_FORGET,
  deleteAlone,
  deleteMemory,
  removeTurns,
  type MemoriesOfTurn,
  mentionsAnyOf,
  withoutSentences,
} from './delete-memory.ts'
import type { Memory } from './memory.ts'

const WHY = { reason: 'asked to be forgotten', origin: ORIGIN }
const TOLD = [{ turn: 't1', quote: 'I owe Tarek money' }]
const DEBT = makeFact({ id: 'debt', text: 'The user owes Tarek money.', evidence: TOLD })

const restingOn =
  (memories: readonly Memory[]): MemoriesOfTurn =>
  (turn) =>
    memories.filter(({ evidence }) => evidence.some((one) => one.turn === turn))

/** Deletes the first of the memories. */
function deleted(memory: Memory, ...others: Memory[]) {
  const changes = changesOver([memory, ...others])
  deleteMemory(changes, memory, WHY, restingOn([memory, ...others]))
  return changes
}

/** What became of a summary (or unit) when what it rests on in part was deleted. */
function afterwards(summary: Partial<Memory>, dropped = DEBT): Memory | undefined {
  return deleted(dropped, makeMemory({ id: 'other', form: 'summary', ...summary })).read('other')
}

const GONE = { status: 'deleted', reason: WHY.reason }

it('says of what the talk asked to drop what stores of before say', () => {
  expect(ASKED_TO_FORGET).toBe('asked to be forgotten')
})

describe('deleting alone', () => {
  it('notes the reason and whence it came, and touches nothing else', () => {
    const changes = changesOver([DEBT])
    const done = deleteAlone(changes, DEBT, { ...WHY, parent: 'o1' })
    expect(done).toMatchObject({ kind: 'delete', memory: 'debt', origin: ORIGIN, parent: 'o1' })
    expect(changes.memories).toEqual([{ ...DEBT, ...GONE }])
  })
})

describe('deleting a memory', () => {
  it('deletes the utterances it was drawn from, as following from it, and leaves other facts', () => {
    const said = makeMemory({ id: 'said', evidence: [{ turn: 't1', quote: null }] })
    const other = makeFact({ id: 'other', evidence: TOLD })
    const elsewhere = makeMemory({ id: 'elsewhere', evidence: [{ turn: 't2', quote: null }] })
    const changes = deleted(DEBT, said, other, elsewhere)
    const [first, second] = changes.operations
    expect(changes.memories).toEqual([
      { ...DEBT, ...GONE },
      { ...said, ...GONE },
    ])
    expect([first?.parent, second?.parent]).toEqual([null, first?.id])
  })

  it('deletes an utterance whole, also when it rests on another turn as well', () => {
    const round = makeMemory({ id: 'round', text: '', evidence: [...TOLD, { turn: 't2', quote: null }] })
    expect(deleted(DEBT, round).read('round')).toEqual({ ...round, ...GONE })
  })

  it('follows what it follows from itself', () => {
    const said = makeMemory({ id: 'said', evidence: TOLD })
    const changes = changesOver([DEBT, said])
    deleteMemory(changes, DEBT, { ...WHY, parent: 'o1' }, restingOn([DEBT, said]))
    expect(changes.operations.map(({ parent }) => parent)).toEqual(['o1', 'o1'])
  })

  it('leaves what is live no more, or is not known to the changes', () => {
    const gone = makeMemory({ id: 'gone', evidence: TOLD, status: 'forgotten' })
    const changes = changesOver([DEBT, gone])
    deleteMemory(changes, DEBT, WHY, restingOn([DEBT, gone, makeMemory({ id: 'unknown', evidence: TOLD })]))
    expect(changes.memories).toEqual([{ ...DEBT, ...GONE }])
  })

  it('touches what rests on several of its turns once', () => {
    const evidence = [...TOLD, { turn: 't2', quote: null }]
    const said = makeMemory({ id: 'said', evidence })
    expect(deleted({ ...DEBT, evidence }, said).operations).toHaveLength(2)
  })
})

describe('a summary that rests on what was deleted in part', () => {
  const KEPT = { turn: 't2', quote: 'I keep bees' }

  it('keeps the other sentences it quotes, in their order', () => {
    const evidence = [{ turn: 't0', quote: 'Hello from Porto' }, ...TOLD, KEPT]
    expect(afterwards({ text: 'Hello from Porto. I owe Tarek money! I keep bees.', evidence })).toMatchObject(
      {
        status: 'live',
        text: 'Hello from Porto I keep bees',
        evidence: [evidence[0], KEPT],
      },
    )
  })

  it('keeps the other turns when it has no words of its own', () => {
    const evidence = [...TOLD, { turn: 't2', quote: null }]
    expect(afterwards({ form: 'story', text: '', evidence })).toMatchObject({
      status: 'live',
      text: '',
      evidence: [{ turn: 't2', quote: null }],
    })
  })

  it('goes when nothing is left of it', () => {
    expect(afterwards({ text: 'I owe Tarek money', evidence: TOLD })).toMatchObject(GONE)
    expect(afterwards({ form: 'story', text: '', evidence: TOLD })).toMatchObject(GONE)
    const written = 'The user owes Tarek money. The user keeps bees.'
    expect(afterwards({ text: written, evidence: [{ turn: 't1', quote: null }] })).toMatchObject(GONE)
  })

  it('loses just the sentences that tell of it when a model wrote it', () => {
    const evidence = [{ turn: 't1', quote: null }, KEPT]
    const text = 'The user owes Tarek money. The user keeps bees.'
    expect(afterwards({ text, evidence })).toMatchObject({
      status: 'live',
      text: 'The user keeps bees.',
      evidence: [KEPT],
    })
  })

  it('goes when a model wrote it and its words do not show which part that is', () => {
    const evidence = [
      { turn: 't1', quote: null },
      { turn: 't2', quote: null },
    ]
    expect(afterwards({ text: 'All is well.', evidence })).toMatchObject(GONE)
    // An utterance has no words of its own to look for.
    const said = makeMemory({ id: 'said', text: '', evidence: TOLD })
    expect(afterwards({ text: 'The user owes Tarek money. All is well.', evidence }, said)).toMatchObject(
      GONE,
    )
  })

  it('keeps what it quotes when a model wrote it around quotes and the rest cannot be told apart', () => {
    const evidence = [{ turn: 't1', quote: null }, KEPT]
    expect(afterwards({ text: 'All is well.', evidence })).toMatchObject({
      status: 'live',
      text: 'I keep bees',
      evidence: [KEPT],
    })
  })

  it.each([
    ['value', { value: 'Tarek' }],
    ['quotes', { evidence: [{ turn: 't1', quote: 'it was Tarek' }] }],
  ])('loses the sentences that its %s tells of', (_, traits) => {
    const evidence = [
      { turn: 't1', quote: null },
      { turn: 't2', quote: null },
    ]
    const dropped = {
      ...DEBT,
      text: 'The user has debts.',
      evidence: [{ turn: 't1', quote: null }],
      ...traits,
    }
    expect(
      afterwards({ text: 'The user owes Tarek. The user keeps bees.', evidence }, dropped),
    ).toMatchObject({
      text: 'The user keeps bees.',
    })
  })

  it('keeps sentences that share nothing with it but its subject', () => {
    const evidence = [
      { turn: 't1', quote: null },
      { turn: 't2', quote: null },
    ]
    const dropped = {
      ...DEBT,
      subject: 'Anna',
      text: 'Anna owes money.',
      evidence: [{ turn: 't1', quote: null }],
    }
    expect(afterwards({ text: 'Anna owes money. Anna keeps bees.', evidence }, dropped)).toMatchObject({
      text: 'Anna keeps bees.',
    })
  })
})

describe('taking turns out of a summary', () => {
  const evidence = [...TOLD, { turn: 't2', quote: 'I keep bees' }]
  const summary = makeMemory({ id: 's', form: 'summary', text: 'I owe Tarek money I keep bees', evidence })

  function withdrawn(memory: Memory, ...turns: string[]) {
    const changes = changesOver([memory])
    removeTurns(changes, memory, new Set(turns), { ...WHY, parent: 'o1' })
    return changes
  }

  it('leaves what rests on the others, whether or not a memory kept them', () => {
    const changes = withdrawn(summary, 't1', 't9')
    expect(changes.memories).toEqual([{ ...summary, text: 'I keep bees', evidence: evidence.slice(1) }])
    expect(changes.operations).toMatchObject([{ kind: 'modify', parent: 'o1' }])
  })

  it('does nothing when it rests on none of them, or is live no more', () => {
    expect(withdrawn(summary, 't3').operations).toEqual([])
    expect(withdrawn({ ...summary, status: 'deleted' }, 't1').operations).toEqual([])
  })

  it('deletes what a model wrote, since nothing says which words are to go', () => {
    const written = { ...summary, evidence: evidence.map(({ turn }) => ({ turn, quote: null })) }
    expect(withdrawn(written, 't1').memories).toMatchObject([GONE])
  })
})

const withoutWords = (text: string, deleted: readonly string[], names: readonly string[]): string | null =>
  withoutSentences(text, mentionsAnyOf(deleted, names))

const PORTRAIT = `User: Ana keeps bees. She was engaged to Ruben, a baker, and still has the ring.
Events: In May Ana moved to Porto. The bees came with her.`

describe('withoutWords', () => {
  it('takes out the sentences that share a telling word with what was dropped, and no others', () => {
    expect(withoutWords(PORTRAIT, ['Ana was engaged to Ruben.'], ['Ana'])).toBe(
      'User: Ana keeps bees.\nEvents: In May Ana moved to Porto. The bees came with her.',
    )
    expect(withoutWords(PORTRAIT, ['Ana moved to Porto in May.'], ['Ana'])).not.toContain('Porto')
  })

  it('cannot tell where no word is shared, and leaves nothing where every sentence is', () => {
    expect(withoutWords(PORTRAIT, ['Ana owes money.'], ['Ana'])).toBeNull()
    expect(withoutWords('Ana keeps bees.', ['Ana has bees.'], ['Ana'])).toBeNull()
    expect(withoutWords(PORTRAIT, [], ['Ana'])).toBeNull()
  })

  it('is told nothing by numbers, nor by the words that every statement is written with', () => {
    const text = 'The user slept 3 hours. The user owes Ruben money. In 300 days all is well.'
    expect(withoutWords(text, ['The user owes 300 euros.'], [])).toBe(
      'The user slept 3 hours. In 300 days all is well.',
    )
    expect(withoutWords('用户喜欢茶。用户欠债。', ['用户欠债。'], [])).toBe('用户喜欢茶。')
  })

  it('is told nothing by a form of a word that tells nothing', () => {
    expect(withoutWords('She is willing. All is well.', ['She is willing.'], [])).toBeNull()
  })

  it('keeps lines of their own, and drops those of which nothing is left', () => {
    const text = 'Ana keeps bees.\nShe owes money.\nAll is well.'
    expect(withoutWords(text, ['She owes money.'], ['Ana'])).toBe('Ana keeps bees.\nAll is well.')
  })

  it('reads Chinese', () => {
    const text = '用户：小雨养了一只猫。她欠哥哥三万块钱。\n经历：五月搬到了杭州。'
    expect(withoutWords(text, ['小雨欠哥哥的钱。'], ['小雨'])).toBe(
      '用户：小雨养了一只猫。\n经历：五月搬到了杭州。',
    )
  })

  it('puts sentences of Chinese together without a space, and ends on a full stop what was a clause', () => {
    const text = '小雨养猫。 Lyon 很远。她欠哥哥三万块钱。'
    expect(withoutWords(text, ['小雨欠哥哥的钱。'], ['小雨'])).toBe('小雨养猫。Lyon 很远。')
    expect(withoutWords('小雨养猫；她欠哥哥三万块钱。', ['小雨欠哥哥的钱。'], ['小雨'])).toBe('小雨养猫。')
    expect(withoutWords('OK. 小雨养猫。她欠哥哥钱。', ['小雨欠哥哥的钱。'], ['小雨'])).toBe('OK.小雨养猫。')
  })

  it('takes no sentence for one character that it shares', () => {
    expect(withoutWords('小雨省钱。她欠哥哥的债。', ['钱，她欠哥哥的。'], ['小雨'])).toBe('小雨省钱。')
  })

  it('takes a clause out of a long sentence, and not all that share one character', () => {
    const text = '用户：小雨养了一只猫；她欠哥哥三万块钱；五月搬到了杭州。'
    expect(withoutWords(text, ['小雨欠哥哥的钱。'], ['小雨'])).toBe('用户：小雨养了一只猫；五月搬到了杭州。')
    expect(withoutWords('Ana keeps bees; she owes Ruben money.', ['She owes money.'], ['Ana'])).toBe(
      'Ana keeps bees.',
    )
  })
})
