import { lufy, moom } from '@keepsake/papers'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openForTest } from './open-for-test.ts'
import { requireSound } from './require-sound.ts'
import { filesHolding } from './search-bytes.ts'
import { temporaryFile } from './temporary-file.ts'

const SEAT = 'Prefers the window seat on trains'

describe('a note', () => {
  it('is recalled by its words as soon as it is kept, and rests on nothing that was said', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana', app: 'booking' })
    const note = await ana.note(SEAT, {
      metadata: { source: 'booking' },
      session: 'trip',
      at: '2024-05-01T10:00:00Z',
    })
    expect(note).toMatchObject({
      form: 'note',
      text: SEAT,
      label: 'other',
      evidence: [],
      metadata: { source: 'booking' },
      session: 'trip',
      name: null,
      validFrom: Date.UTC(2024, 4, 1, 10),
      origin: { step: 'api' },
    })
    const { memories, context } = await keepsake.scope({ user: 'ana' }).recall('Which seat does she like?')
    expect(memories[0]?.memory.id).toBe(note.id)
    expect(context.text).toContain(SEAT)
    // What a recall strengthens is seen at once.
    const use = expect.objectContaining({ first: 1 })
    expect(await ana.memories()).toEqual([{ ...note, use }])
    expect((await ana.persona()).subjects).toEqual([])
    expect((await ana.admin.history(note.id)).map(({ kind }) => kind)).toEqual(['add'])
    expect(await keepsake.jobs()).toEqual([])
  })

  it('is changed under its name, and no question finds what it said before', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    const first = await ana.note(SEAT, { name: 'seat', metadata: { n: 1 } })
    const second = await ana.note('Prefers an aisle', { name: 'seat', metadata: { n: 2 } })
    expect(second).toMatchObject({ id: first.id, text: 'Prefers an aisle', metadata: { n: 2 }, past: [] })
    expect((await ana.recall('window trains')).memories.filter(({ parts }) => 'lexical' in parts)).toEqual([])
    await ana.note('Prefers an aisle', { name: 'seat', metadata: { n: 2 } })
    await ana.edit(first.id, { text: 'Likes the back row' })
    expect(await ana.memories({ names: ['seat', 'table'] })).toMatchObject([
      { id: first.id, text: 'Likes the back row', past: [], metadata: { n: 2 } },
    ])
    const changes = (await ana.admin.history(first.id)).map(({ kind }) => kind)
    expect(changes.filter((kind) => kind !== 'reinforce')).toEqual(['add', 'modify', 'modify'])
    const elsewhere = await keepsake.scope({ user: 'ana', app: 'other' }).note('Another', { name: 'seat' })
    expect(elsewhere.id).not.toBe(first.id)
    await requireSound(ana)
  })

  it('is one where two processes keep it under a name at once', async () => {
    const path = temporaryFile()
    const scopes = []
    for (let n = 0; n < 3; n += 1) scopes.push((await openForTest({ path })).scope({ user: 'ana' }))
    for (let round = 0; round < 10; round += 1)
      await Promise.all(scopes.map((ana, n) => ana.note(`Seat ${n}`, { name: `seat ${round}` })))
    const [ana] = scopes
    const notes = (await ana?.memories({ forms: ['note'] })) ?? []
    expect(notes.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, round) => `seat ${round}`))
    if (ana !== undefined) await requireSound(ana)
  })

  it('without words is listed and found by no question', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await ana.note('', { name: 'draft', metadata: { body: 'window' } })
    expect((await ana.recall('window')).memories).toEqual([])
    expect(await ana.memories({ where: { path: 'body', is: 'window' } })).toMatchObject([{ name: 'draft' }])
    await expect(ana.note(' ')).rejects.toThrow(/needs metadata/)
    await expect(ana.note('x', { name: '' })).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(ana.note(7 as unknown as string)).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('can be asked for alone under any preset that searches, and is masked as what is said is', async () => {
    const keepsake = await openForTest({ preset: lufy })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'I like the window seat on trains.' }, { session: 's' })
    await ana.note(`${SEAT}, pays with 4111 1111 1111 1111`)
    const { memories } = await ana.recall('window seat', { forms: ['note'] })
    expect(memories.map(({ memory }) => memory.text)).toEqual([`${SEAT}, pays with [masked: card number]`])
  })

  it('is judged by no policy and takes no room of what is', async () => {
    const keepsake = await openForTest({
      preset: moom,
      retention: { when: 'capacity', memories: 3 },
    })
    const ana = keepsake.scope({ user: 'ana' })
    for (let n = 0; n < 5; n += 1) await ana.note(`Note ${n} about trains`)
    await ana.remember(
      [1, 2].map((n) => ({ role: 'user', text: `My cat number ${n} is called Tom${n}.` })),
      { session: 's' },
    )
    await ana.drain()
    expect(await ana.memories({ statuses: ['forgotten'] })).toEqual([])
    const { considered, forgotten } = await ana.runForgetting({ keep: 0 })
    expect(forgotten.length).toBe(considered)
    expect(await ana.memories({ forms: ['note'] })).toHaveLength(5)
    const [note] = await ana.memories({ forms: ['note'] })
    expect((await ana.explain(note?.id ?? '')).sentences.join(' ')).toContain(
      'A note is never forgotten automatically.',
    )
  })

  it('frees its name when it goes, and comes back only while the name is free', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    const first = await ana.note(SEAT, { name: 'seat' })
    const removed = await ana.forget(first.id)
    const second = await ana.note('Prefers an aisle', { name: 'seat' })
    expect(second.id).not.toBe(first.id)
    await expect(ana.restore(first.id)).rejects.toMatchObject({ code: 'not-possible' })
    await expect(ana.undo(removed.id)).rejects.toMatchObject({ code: 'not-possible' })
    await ana.forget(second.id)
    await ana.restore(first.id)
    expect(await ana.memories({ names: ['seat'] })).toMatchObject([{ id: first.id }])
    await requireSound(ana)
  })

  it('goes when the person asks to forget what it tells of', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await ana.note('Her neighbour Zephyrina collects barometers')
    await ana.remember(
      { role: 'user', text: 'Please forget everything I told you about Zephyrina.' },
      { session: 's' },
    )
    await ana.endSession('s')
    await ana.drain()
    expect((await ana.recall('barometers')).memories).toEqual([])
    expect(await ana.memories({ forms: ['note'], statuses: ['deleted'] })).toHaveLength(1)
  })

  it('leaves no byte when it is erased, its name included, and the name can be used again', async () => {
    const path = temporaryFile()
    const keepsake = await openForTest({ path })
    const ana = keepsake.scope({ user: 'ana' })
    const note = await ana.note('Zephyrina collects barometers', {
      name: 'Zephyrina',
      metadata: { Zephyrina: 1 },
    })
    await ana.note('Zephyrina sold them', { name: 'Zephyrina' })
    await ana.erase({ memories: [note.id] })
    expect(filesHolding(dirname(path), ['Zephyrina', 'barometers'])).toEqual([])
    expect(await ana.memories({ names: ['Zephyrina'] })).toEqual([])
    expect((await ana.note('Again', { name: 'Zephyrina' })).id).not.toBe(note.id)
  })
})
