import { expect, it } from 'vitest'
import { makeMemory, type MemoryTraits } from '../memories/memory-fixture.ts'
import { keepsake } from '../presets/keepsake.ts'
import type { Preset } from '../presets/preset.ts'
import { openEngine, storeMemories } from '../work/engine-fixture.ts'
import { requestIn } from './recall-fixture.ts'
import { standingMemories } from './recall.ts'

const portrait = (id: string, traits: MemoryTraits = {}) =>
  makeMemory({ id, form: 'portrait', text: id, ...traits })

/** Ids of what stands at the head of a recall. */
async function standing(always: Preset['always'], asOf: number | null = null, scopes?: 'both') {
  const { always: _always, ...rest } = keepsake()
  const place = await openEngine({ preset: { ...rest, ...(always === undefined ? {} : { always }) } })
  const { engine, row } = place
  const other = await engine.store.ensureScope({ tenant: 'default', user: 'ana', agent: 'bot', app: null })
  await storeMemories(
    place,
    portrait('first', { validFrom: 100 }),
    portrait('newest', { validFrom: 300 }),
    portrait('second', { validFrom: 200 }),
    portrait('dropped', { validFrom: 400, status: 'deleted' }),
    makeMemory({ id: 'summary', form: 'summary', validFrom: 350 }),
    makeMemory({ id: 'said', validFrom: 900 }),
  )
  await storeMemories({ engine, row: other }, portrait('theirs', { validFrom: 50 }))
  const request = requestIn(place, { asOf })
  const state = await engine.users.load(row.owner)
  const resolved =
    scopes === undefined ? request.resolved : { ...request.resolved, scopes: [row.scope, other.scope] }
  return standingMemories({ ...request, resolved }, state)
}

const ids = async (...given: Parameters<typeof standing>) =>
  (await standing(...given)).map(({ memory }) => memory.id)

it('gives the newest live memory of each form that stands at the head of a recall', async () => {
  expect(await ids(['portrait'])).toEqual(['newest'])
  expect(await ids(['portrait', 'summary'])).toEqual(['newest', 'summary'])
})

it('gives each found by nothing, with no score', async () => {
  const [found] = await standing(['portrait'])
  expect(found).toEqual({ memory: found?.memory, score: 0, parts: {}, turns: new Map(), pending: false })
})

it('gives what held at the time that is asked about', async () => {
  expect(await ids(['portrait'], 299)).toEqual(['second'])
  expect(await ids(['portrait'], 200)).toEqual(['second'])
  expect(await ids(['portrait'], 199)).toEqual(['first'])
  expect(await ids(['portrait'], 99)).toEqual([])
})

it('gives one of each scope that is asked', async () => {
  expect(await ids(['portrait'], null, 'both')).toEqual(['newest', 'theirs'])
})

it('gives the last made of two that hold from the same time', async () => {
  const place = await openEngine({ preset: { ...keepsake(), always: ['portrait'] } })
  await storeMemories(place, portrait('one', { validFrom: 100 }), portrait('other', { validFrom: 100 }))
  const state = await place.engine.users.load(place.row.owner)
  expect(standingMemories(requestIn(place), state).map(({ memory }) => memory.id)).toEqual(['other'])
})

it('gives none where the preset names no form', async () => {
  expect(await ids([])).toEqual([])
  expect(await ids(undefined)).toEqual([])
})
