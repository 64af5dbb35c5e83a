import { findPreset } from '@keepsake/papers'
import { beforeEach, describe, expect, it } from 'vitest'
import { first } from '../../testing/routes-app.ts'
import { RouteAsker, TALK, type MemoryList } from '../../testing/routes-asker.ts'
import type { MemoryJson } from '../schemas/memory.ts'

let asker: RouteAsker
beforeEach(async () => {
  asker = await RouteAsker.open()
})

describe('the whole person', () => {
  it('has a persona sheet, a story and a portrait', async () => {
    // Rules write no summaries of their own, so the preset gets them.
    const plain = findPreset('keepsake')
    const branches = [...plain.branches, { kind: 'summaries' } as const]
    asker = await RouteAsker.open({ preset: { ...plain, branches } })
    await asker.remember()
    const persona = await asker.ask<{
      subjects: { subject: string; entries: { key: { id: string }; values: { value: string }[] }[] }[]
    }>('GET', '/v1/scopes/ana/persona')
    const values = first(persona.body.subjects).entries.flatMap((entry) =>
      entry.values.map(({ value }) => value),
    )
    expect(values).toContain('Lyon')
    const story = await asker.ask<{ levels: { level: number; units: MemoryJson[] }[] }>(
      'GET',
      '/v1/scopes/ana/story',
    )
    expect(story.status).toBe(200)
    expect(story.body.levels.flatMap(({ units }) => units.map(({ form }) => form))).toEqual(
      expect.arrayContaining(['summary']),
    )
    const portrait = await asker.ask<object>('GET', '/v1/scopes/ana/portrait')
    expect(portrait.body).toEqual({ current: null, versions: [] })
  })

  it('has sessions, which can be ended', async () => {
    await asker.ask('POST', '/v1/scopes/ana/turns', TALK)
    const ended = await asker.ask('POST', '/v1/scopes/ana/sessions/end', { session: 'monday' })
    expect([ended.status, ended.body]).toEqual([202, { session: 'monday' }])
    expect((await asker.ask('POST', '/v1/scopes/ana/sessions/end', {})).body).toEqual({ session: null })
    expect((await asker.ask('POST', '/v1/scopes/ana/sessions/end', { session: 'sunday' })).status).toBe(404)
    await asker.server.keepsake.drain()
    const { body } = await asker.ask<{ sessions: { id: string; endedAt: string | null }[] }>(
      'GET',
      '/v1/scopes/ana/sessions',
    )
    expect(body.sessions).toHaveLength(1)
    expect(body.sessions[0]).toMatchObject({ id: 'monday', startedAt: '2026-05-01T18:00:00.000Z', number: 1 })
    expect(first(body.sessions).endedAt).not.toBeNull()
  })

  it('can have its policy run, or only asked', async () => {
    await asker.remember()
    const dry = await asker.ask<{ forgotten: { memory: string }[]; dryRun: boolean }>(
      'POST',
      '/v1/scopes/ana/forgetting',
      {
        dryRun: true,
        capacity: { memories: 0 },
      },
    )
    const every = '/v1/scopes/ana/memories?forms=utterance&forms=fact'
    const live = (await asker.ask<MemoryList>('GET', every)).body.memories
    // A capacity bounds what was said and what is known of it, but for where somebody lives; a policy that is named judges its own alone.
    const facts = live.filter(({ form, key }) => form === 'fact' && key !== 'residence').map(({ id }) => id)
    const said = live.filter(({ form }) => form === 'utterance').map(({ id }) => id)
    expect(dry.body.forgotten.map(({ memory }) => memory).toSorted()).toEqual([...said, ...facts].toSorted())
    const byFacts = await asker.ask<{ forgotten: { memory: string }[] }>(
      'POST',
      '/v1/scopes/ana/forgetting',
      {
        dryRun: true,
        capacity: { memories: 0 },
        policy: 'facts',
      },
    )
    expect(byFacts.body.forgotten.map(({ memory }) => memory).toSorted()).toEqual(facts.toSorted())
    expect(
      (await asker.ask<MemoryList>('GET', '/v1/scopes/ana/memories?statuses=forgotten')).body.memories,
    ).toEqual([])
    await asker.ask('POST', '/v1/scopes/ana/forgetting', { capacity: { memories: 0 } })
    const { body } = await asker.ask<MemoryList>('GET', '/v1/scopes/ana/memories?statuses=forgotten')
    expect(body.memories.map(({ id }) => id).toSorted()).toEqual(
      dry.body.forgotten.map(({ memory }) => memory).toSorted(),
    )
    expect((await asker.ask('POST', '/v1/scopes/ana/forgetting', { keep: 0.5, capacity: {} })).status).toBe(
      422,
    )
    expect((await asker.ask('POST', '/v1/scopes/ana/forgetting', { dryrun: true })).status).toBe(422)
  })

  it('keeps agents apart, and says which a memory belongs to', async () => {
    await asker.ask('POST', '/v1/scopes/ana/turns?agent=tutor', TALK)
    await asker.ask('POST', '/v1/scopes/ana/turns', { turns: [{ role: 'user', text: 'I play the cello.' }] })
    await asker.server.keepsake.drain()
    const of = async (query: string) =>
      new Set(
        (await asker.ask<MemoryList>('GET', `/v1/scopes/ana/memories?${query}`)).body.memories.map(
          ({ agent }) => agent,
        ),
      )
    expect(await of('')).toEqual(new Set(['tutor', null]))
    expect(await of('agent=tutor')).toEqual(new Set(['tutor']))
    expect(await of('agent=other')).toEqual(new Set())
    expect(await of('tenant=other')).toEqual(new Set())
  })
})

describe('erasing', () => {
  it('takes turns, memories, or the person, and answers with a receipt of numbers', async () => {
    await asker.remember()
    expect((await asker.ask('POST', '/v1/scopes/ana/erase', {})).status).toBe(422)
    expect((await asker.ask('POST', '/v1/scopes/ana/erase', { turns: ['nope'] })).status).toBe(404)
    expect((await asker.ask('DELETE', '/v1/scopes/ana?agnt=tutor')).status).toBe(422)
    const part = await asker.ask<{ turns: number; at: string }>('POST', '/v1/scopes/ana/erase', {
      turns: ['t2'],
    })
    expect([part.status, part.body.turns]).toEqual([200, 1])
    expect(part.body.at).toMatch(/^\d{4}-.*Z$/)
    for (const query of ['', '?everything=false', '?tenant=default']) {
      const refused = await asker.ask('DELETE', `/v1/scopes/ana${query}`)
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        422,
        expect.stringContaining('everything=true'),
      ])
    }
    const whole = await asker.ask<{ turns: number }>('DELETE', '/v1/scopes/ana?everything=true', undefined, {
      'Idempotency-Key': 'e1',
    })
    expect(whole.status).toBe(200)
    expect(await asker.server.keepsake.scopes()).toEqual([])
    const again = await asker.ask('DELETE', '/v1/scopes/ana?everything=true', undefined, {
      'Idempotency-Key': 'e1',
    })
    expect([again.status, again.body]).toEqual([200, whole.body])
    expect((await asker.ask('DELETE', '/v1/scopes/ana?everything=true')).status).toBe(404)
  })
})
