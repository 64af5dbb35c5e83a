import { beforeEach, describe, expect, it } from 'vitest'
import type { ProblemBody } from '../../problem.ts'
import { RouteAsker, type MemoryList } from '../../testing/routes-asker.ts'
import type { MemoryJson } from '../schemas/memory.ts'

let asker: RouteAsker
beforeEach(async () => {
  asker = await RouteAsker.open()
})

const BASE = '/v1/scopes/ana'

async function addPermit(): Promise<MemoryJson> {
  const body = { text: 'The user has a parking permit.', until: '2031-03-04T00:00:00Z' }
  return (await asker.ask<MemoryJson>('POST', `${BASE}/memories`, body)).body
}

describe('an end of a memory', () => {
  it('is set when it is stated, moved and lifted', async () => {
    const permit = await addPermit()
    expect(permit.validUntil).toBe('2031-03-04T00:00:00.000Z')
    const edit = (until: string | null) => asker.ask('PATCH', `${BASE}/memories/${permit.id}`, { until })
    expect((await edit(null)).status).toBe(200)
    const { body } = await asker.ask<MemoryList>('GET', `${BASE}/memories?ids=${permit.id}`)
    expect(body.memories[0]?.validUntil).toBeNull()
  })

  it('falls due on its last day', async () => {
    const { id } = await addPermit()
    const { body } = await asker.ask<{ due: { kind: string; at: string; memory: MemoryJson }[] }>(
      'GET',
      `${BASE}/due?from=2031-03&to=2031-03-03`,
    )
    expect(body.due.map(({ kind, at, memory }) => [kind, at, memory.id])).toEqual([
      ['end', '2031-03-03T00:00:00.000Z', id],
    ])
  })
})

describe('spans', () => {
  it('narrow lists and recalls', async () => {
    await asker.remember()
    const list = async (query: string) =>
      (await asker.ask<MemoryList>('GET', `${BASE}/memories?${query}`)).body.memories.length
    const all = await list('')
    expect(await list('said=2026-05-01/2026-05-01')).toBe(all)
    expect(await list('said=../2026-04')).toBe(0)
    expect(await list('during=2026-06/')).toBeGreaterThan(0)
    const recalled = await asker.ask<{ memories: unknown[] }>('POST', `${BASE}/recall`, {
      question: 'What does Ana like?',
      said: { to: '2026-04' },
    })
    expect(recalled.body.memories).toEqual([])
  })

  it.each([
    ['GET', `${BASE}/memories?said=2026`, 'query.said'],
    ['GET', `${BASE}/due?from=soon`, 'query.from'],
  ])('%s %s is refused, with the field', async (method, path, field) => {
    const { status, body } = await asker.ask<ProblemBody>(method, path)
    expect(status).toBe(422)
    expect(body.fields?.map((one) => one.field)).toEqual([field])
  })

  it('are refused where they end before they begin', async () => {
    expect((await asker.ask('GET', `${BASE}/due?from=2026-05&to=2026-04`)).status).toBe(422)
  })
})
