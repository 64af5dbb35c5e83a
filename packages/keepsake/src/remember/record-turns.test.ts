import { describe, expect, it } from 'vitest'
import { embedBy } from '../models/embedding-fixture.ts'
import { keepsake } from '../presets/keepsake.ts'
import type { TurnInput } from '../turns/turn.ts'
import { listen, NOW, openEngine, type EngineTraits, type TestScope } from '../work/engine-fixture.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { recordTurns, type RememberOptions } from './record-turns.ts'

const embedding = embedBy({ boat: [1, 0] })
const GAP = 1_000
const open = (traits: EngineTraits = {}) =>
  openEngine({ embedding, preset: { ...keepsake(), sessionGap: GAP }, ...traits })
const record = (
  { engine, row }: TestScope,
  input: TurnInput | readonly TurnInput[],
  options: RememberOptions = {},
) => recordTurns(engine, row, input, options)
const turns = ({ engine, row }: TestScope) => engine.store.listTurns({ userId: row.owner })
const user = (text: string, traits: Partial<TurnInput> = {}): TurnInput => ({ role: 'user', text, ...traits })

describe('recording turns', () => {
  it('stores them in order, with what the index needs, and says which are new', async () => {
    const place = await open()
    const told = listen(place, 'turns-recorded')
    const given = [user('I have a boat.', { id: 'a', speaker: 'Ana', at: 5 }), user('It leaks.')]
    expect(await record(place, given)).toEqual({
      turns: ['a', 'id-0001'],
      added: 2,
      session: 'session-1',
      lastOperation: 0,
      maskedSecrets: [],
    })
    expect(await turns(place)).toMatchObject([
      { id: 'a', speaker: 'Ana', text: 'I have a boat.', at: 5, position: 1, session: 'session-1' },
      { id: 'id-0001', text: 'It leaks.', at: NOW, position: 2 },
    ])
    const { documents } = await place.engine.store.loadUser({
      userId: place.row.owner,
      afterRevision: 0,
    })
    expect(documents.map(({ vector }) => [...(vector ?? [])])).toEqual([
      [1, 0],
      [0, 0],
    ])
    const scope = { tenant: 'default', user: 'ana', agent: null, app: null }
    expect(told).toEqual([
      { scope, session: 'session-1', turns: ['a', 'id-0001'], milliseconds: told[0]?.milliseconds },
    ])
    expect(told[0]?.milliseconds).toBeGreaterThanOrEqual(0)
    expect(told[0]?.milliseconds).toBeLessThanOrEqual(performance.now())
  })

  it('takes `agent` as `assistant`, also when the turn is known, and `system` and `tool` as `other`', async () => {
    const place = await open()
    const roles = ['user', 'assistant', 'agent', 'system', 'tool', 'other'] as const
    await record(
      place,
      roles.map((role) => ({ role, text: role, id: role })),
    )
    expect((await turns(place)).map(({ role }) => role)).toEqual(
      'user assistant assistant other other other'.split(' '),
    )
    const again = { role: 'agent', text: 'assistant', id: 'assistant' } as const
    expect(await record(place, again)).toMatchObject({ added: 0 })
  })
})

describe('secrets', () => {
  const given = [
    user('My card is 4242 4242 4242 4242.'),
    user('Hello.'),
    user('my password is hunter2, and the card 4242 4242 4242 4242'),
  ]

  it('are stored as they were said where masking is turned off', async () => {
    const place = await open({ maskSecrets: false })
    expect((await record(place, given)).maskedSecrets).toEqual([])
    expect((await turns(place)).map(({ text }) => text)).toEqual(given.map(({ text }) => text))
  })
})

describe('the session of turns', () => {
  const end = ({ engine, row }: TestScope, session: string) =>
    decideAndCommit(engine, row, () => undefined, { endSessions: [{ session, at: 1 }] })
  const jobs = async ({ engine }: TestScope) =>
    (await engine.store.listJobs()).map(({ kind, session }) => [kind, session])

  it('is the one that is named', async () => {
    const place = await open()
    expect(await record(place, user('one', { at: 0 }), { session: 'own' })).toMatchObject({ session: 'own' })
    expect(await record(place, user('two', { at: 9_999 }), { session: 'own' })).toMatchObject({
      session: 'own',
    })
    expect(await jobs(place)).toEqual([['consolidate', null]])
    await expect(record(place, user('x'), { session: '' })).rejects.toThrow(
      'session must be a non-empty string',
    )
  })

  it('goes on as long as no silence is longer than the preset’s gap', async () => {
    const place = await open()
    await record(place, user('one', { at: 10_000 }))
    expect(await record(place, user('two', { at: 10_000 + GAP }))).toMatchObject({ session: 'session-1' })
    expect(await record(place, user('late', { at: 5 }))).toMatchObject({ session: 'session-1' })
    expect(await jobs(place)).toEqual([['consolidate', null]])
  })

  it('is a new one after a longer silence, which ends the one before', async () => {
    const place = await open()
    await record(place, user('one', { at: 0 }), { session: 'own' })
    const given = [user('two', { at: GAP + 1 }), user('three', { at: 99_999 })]
    expect(await record(place, given)).toMatchObject({ session: 'session-2' })
    expect(await jobs(place)).toEqual([
      ['consolidate', null],
      ['end-session', 'own'],
    ])
  })

  it('is a new one when the last was ended, which is not ended again', async () => {
    const place = await open()
    await record(place, user('one', { at: 0 }))
    await end(place, 'session-1')
    expect(await record(place, user('two', { at: 1 }))).toMatchObject({ session: 'session-2' })
    expect(await jobs(place)).toEqual([['consolidate', null]])
  })
})
