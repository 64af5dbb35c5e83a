import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '@keepsake/text'
import { NotFoundError, NotPossibleError } from '../errors/errors.ts'
import { makeFact, makeMemory, ORIGIN } from '../memories/memory-fixture.ts'
import type { Memory, MemoryStatus } from '../memories/memory.ts'
import {
  NOW,
  openEngine,
  resolvedIn,
  storedMemories,
  storeMemories,
  type TestScope,
} from '../work/engine-fixture.ts'
import { resolveScope } from '../work/scope-handle.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import {
  changeMemory,
  editMemory,
  pinMemory,
  removeMemory,
  restoreMemory,
  undo,
  type MemoryEdit,
} from './change-memories.ts'

const API = { preset: 'keepsake', step: 'api', promptVersion: null, model: null }
const LYON = makeFact({ id: 'home', value: 'Lyon' })
const STATUSES: readonly MemoryStatus[] = ['live', 'quarantined', 'deleted', 'forgotten', 'erased']

async function open(...memories: Memory[]): Promise<TestScope> {
  const place = await openEngine()
  await storeMemories(place, ...memories)
  return place
}

const memory = async (place: TestScope, id = 'home') =>
  (await storedMemories(place)).find((one) => one.id === id)
const edit = ({ engine, row }: TestScope, change: MemoryEdit, id = 'home') =>
  editMemory(engine, row, id, change)

/** The statuses from which a change succeeds; the others are refused with a message that says so. */
async function allowed(
  change: (place: TestScope) => Promise<unknown>,
  what: string,
): Promise<MemoryStatus[]> {
  const succeeding: MemoryStatus[] = []
  for (const status of STATUSES) {
    const place = await open({ ...LYON, status })
    try {
      await change(place)
      succeeding.push(status)
    } catch (error) {
      expect(error).toMatchObject({ code: 'not-possible', details: { memory: 'home', status } })
      expect(String(error)).toContain(
        `Memory home is ${status} and cannot be ${what}; that takes one that is `,
      )
    }
  }
  return succeeding
}

describe('an edit', () => {
  it('of the text keeps what was said as past, until now', async () => {
    const place = await open(LYON)
    const operation = await edit(place, { text: 'The user lives in Paris.', value: 'Paris', type: 'event' })
    expect(operation).toMatchObject({ kind: 'modify', memory: 'home', origin: API })
    const { text, value, validFrom, evidence } = LYON
    expect(await memory(place)).toEqual({
      ...LYON,
      text: 'The user lives in Paris.',
      value: 'Paris',
      type: 'event',
      validFrom: NOW,
      past: [{ text, value, validFrom, validUntil: NOW, evidence }],
    })
  })

  it('of anything else changes no more than that', async () => {
    const place = await open(LYON)
    await edit(place, { value: 'Paris' })
    await edit(place, { type: 'event' })
    expect(await memory(place)).toEqual({ ...LYON, value: 'Paris', type: 'event' })
  })

  it('passes the gate for text', async () => {
    const place = await open(LYON)
    await edit(place, { text: 'Lyon \ud800', value: 'The pin is 4821' })
    expect(await memory(place)).toMatchObject({ text: 'Lyon \ufffd', value: 'The pin is [masked: password]' })
  })

  it.each<[unknown, string]>([
    [{}, 'An edit must set text, value, type, at, until or metadata, but it sets none.'],
    [
      { text: ' \n' },
      'edit.text must be a non-empty string, but it is a string of 2 characters. To drop a memory, use forget().',
    ],
    [
      { value: ' ' },
      'edit.value must be a non-empty string, but it is a string of 1 characters. To drop a memory, use forget().',
    ],
    [{ text: 7 }, 'edit.text must be a string, but it is the number 7.'],
    [
      { type: 'thing' },
      'edit.type must be one of persona, event, relationship, but it is a string of 5 characters.',
    ],
  ])('is refused when it is %j', async (change, message) => {
    const place = await open(LYON)
    await expect(edit(place, change as MemoryEdit)).rejects.toThrow(new InvalidInputError(message))
    expect(await memory(place)).toEqual(LYON)
  })

  it('takes a memory that is live or quarantined', async () => {
    expect(await allowed((place) => edit(place, { value: 'Paris' }), 'edited')).toEqual([
      'live',
      'quarantined',
    ])
  })

  it('never changes what was said', async () => {
    const place = await open(makeMemory({ id: 'home' }))
    await expect(edit(place, { text: 'other' })).rejects.toThrow(
      new NotPossibleError(
        'Memory home is an utterance: what was said is never edited. Remove it, or edit the facts drawn from it.',
        { memory: 'home' },
      ),
    )
  })

  it('needs a memory that is there', async () => {
    await expect(edit(await open(LYON), { value: 'x' }, 'gone')).rejects.toThrow(
      new NotFoundError('memory', 'gone'),
    )
  })
})

describe('an edit with a time', () => {
  it.each([
    ['before', 40, []],
    ['when the former text began', 100, []],
    ['later', 300, [[100, 300]]],
  ])('that lies %s keeps the former text as past only where it held before', async (_, at, past) => {
    const place = await open(LYON)
    await edit(place, { text: 'The user lives in Porto.', value: 'Porto', at })
    const now = await memory(place)
    expect([now?.validFrom, now?.value]).toEqual([at, 'Porto'])
    expect(now?.past.map(({ validFrom, validUntil }) => [validFrom, validUntil])).toEqual(past)
  })

  it('alone moves since when it is so, and is undone', async () => {
    const place = await open(LYON)
    const { id } = await edit(place, { at: '2020-05-01T00:00:00Z' })
    expect(await memory(place)).toMatchObject({ validFrom: Date.UTC(2020, 4, 1), past: [], text: LYON.text })
    await undo(place.engine, resolvedIn(place), id)
    expect(await memory(place)).toMatchObject({ validFrom: 100 })
  })

  it('or with the same text lifts a doubt', async () => {
    const doubt = { turn: 't1', quote: null, against: true }
    const place = await open({ ...LYON, evidence: [...LYON.evidence, doubt] })
    await edit(place, { metadata: { seen: true } })
    expect((await memory(place))?.evidence).toContainEqual(doubt)
    await edit(place, { text: LYON.text })
    expect((await memory(place))?.evidence).toEqual(LYON.evidence)
  })

  it('that is none is refused', async () => {
    await expect(edit(await open(LYON), { at: 'last week' })).rejects.toThrow('edit.at')
  })
})

describe('removing', () => {
  it('takes a memory that is live, quarantined or forgotten', async () => {
    expect(await allowed(({ engine, row }) => removeMemory(engine, row, 'home'), 'removed')).toEqual([
      'live',
      'quarantined',
      'forgotten',
    ])
  })
})

describe('pinning', () => {
  it.each([
    [true, 'pinned'],
    [false, 'unpinned'],
  ])('takes a live memory: %j', async (pinned, what) => {
    expect(await allowed(({ engine, row }) => pinMemory(engine, row, 'home', pinned), what)).toEqual(['live'])
  })
})

describe('restoring', () => {
  it('takes a memory that is deleted, forgotten or quarantined', async () => {
    expect(await allowed(({ engine, row }) => restoreMemory(engine, row, 'home'), 'restored')).toEqual([
      'quarantined',
      'deleted',
      'forgotten',
    ])
  })
})

describe('a change that is asked for', () => {
  const ANA = { tenant: 'default', user: 'ana', agent: null, app: null }
  const told = async (_engine: TestScope['engine'], row: TestScope['row'], id: string) => {
    throw new Error(`${row.agent ?? 'general'}: ${id}`)
  }

  it('is handed the scope of the memory', async () => {
    const { engine, row } = await open(LYON)
    const bot = await engine.store.ensureScope({ ...ANA, agent: 'bot' })
    await storeMemories({ engine, row: bot }, makeFact({ id: 'theirs' }))
    const all = await resolveScope(engine.users, ANA)
    await expect(changeMemory(engine, all, 'theirs', told)).rejects.toThrow('bot: theirs')
    await expect(changeMemory(engine, all, 'home', told)).rejects.toThrow('general: home')
    const missing = new NotFoundError('memory', 'theirs')
    await expect(changeMemory(engine, resolvedIn({ engine, row }), 'theirs', told)).rejects.toThrow(missing)
    await expect(changeMemory(engine, null, 'theirs', told)).rejects.toThrow(missing)
    const without = { owner: row.owner, rows: [row], scopes: [row.scope, bot.scope] }
    await expect(changeMemory(engine, without, 'theirs', told)).rejects.toThrow(missing)
  })
})

describe('undoing', () => {
  it('needs an operation of the scopes that are asked', async () => {
    const place = await open(LYON)
    const { engine } = place
    const bot = await engine.store.ensureScope({ ...place.row, agent: 'bot' })
    const { operations } = await decideAndCommit(engine, place.row, ({ changes }) => {
      changes.change('modify', 'home', { pinned: true }, ORIGIN)
    })
    const id = operations[0]?.id ?? ''
    const missing = new NotFoundError('operation', id)
    await expect(undo(engine, null, id)).rejects.toThrow(missing)
    await expect(undo(engine, resolvedIn({ engine, row: bot }), id)).rejects.toThrow(missing)
    await expect(undo(engine, { ...resolvedIn(place), rows: [] }, id)).rejects.toThrow(missing)
    await expect(undo(engine, resolvedIn(place), 'gone')).rejects.toThrow(
      new NotFoundError('operation', 'gone'),
    )
    expect(await memory(place)).toMatchObject({ pinned: true })
  })
})
