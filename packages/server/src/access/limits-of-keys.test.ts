import { type Keepsake } from 'keepsake'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createApp, type AppOptions } from '../app.ts'
import { testDeps } from '../testing/test-deps.ts'
import { UNLOCKED } from './grant.ts'
import { AuditLog, readAudit, type AuditEntry } from './audit-log.ts'
import { KeyStore, type NewKey } from './key-store.ts'
import { UpstreamBudget } from './limit-requests.ts'
import { testMemory } from '../testing/test-memory.ts'

let keepsake: Keepsake
beforeEach(async () => {
  keepsake = await testMemory()
})

async function serve(options: Partial<AppOptions> = {}, key: Partial<NewKey> = {}, now = Date.now) {
  const keys = new KeyStore(keepsake.records)
  const { deps, close } = testDeps(keepsake, {
    upstream: { url: 'http://127.0.0.1:1/v1', key: 'paid' },
    now,
  })
  onTestFinished(close)
  const app = createApp(deps, { keys, ...options })
  const made = await keys.create({ name: 'x', ...key })
  const headers = { Authorization: `Bearer ${made.key}`, 'Content-Type': 'application/json' }
  const post = (path: string, body: object) =>
    app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const codeOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { code?: string; error?: { code: string } }).code,
  ]
  return { keys, app, headers, post, codeOf, id: made.entry.id }
}

const turns = (text: string) => ({ turns: [{ role: 'user', text }] })
const chat = { model: 'm', messages: [{ role: 'user', content: 'Hello.' }] }

describe('the upstream', () => {
  it('is asked for nobody in particular by no key, unless that is allowed', async () => {
    const { post } = await serve()
    const refused = await post('/v1/chat/completions', chat)
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('user-required')])
    const open = await serve({ chats: { requireUser: false } })
    // There is nothing at that address: it got as far as asking.
    expect((await open.post('/v1/chat/completions', chat)).status).toBe(502)
  })

  it.each([['erase'], ['admin']] as const)('is never asked by a key that may only %s', async (action) => {
    const { post, app, headers } = await serve({ chats: { requireUser: false } }, { actions: [action] })
    expect((await post('/v1/chat/completions', chat)).status).toBe(403)
    expect((await app.request('/v1/models', { headers })).status).toBe(403)
  })

  it('is asked as often a day as a key may, by all processes together', async () => {
    let now = Date.parse('2026-03-01T23:59:00Z')
    const budgets = [1, 2].map(() => new UpstreamBudget(keepsake.records, { perDay: 3, now: () => now }))
    const grant = { ...UNLOCKED, id: 'k1' }
    const asked = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => budgets[index % 2]?.take(grant)),
    )
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await expect(budgets[0]?.take(grant)).rejects.toMatchObject({ code: 'upstream-budget', retryAfter: 60 })
    await budgets[0]?.take({ ...grant, id: 'k2' })
    await expect(budgets[0]?.take({ ...grant, id: 'k3', upstreamPerDay: 0 })).rejects.toThrow()
    now += 60_000
    await budgets[1]?.take(grant)
  })
})

describe('a key', () => {
  it('sends as many bytes a minute as it may, and another goes on', async () => {
    const { post, codeOf, keys, app } = await serve({ bytesPerMinute: 2_000 })
    expect((await post('/v1/scopes/ana/turns', turns('x'.repeat(1_500)))).status).toBe(201)
    expect(await codeOf(await post('/v1/scopes/ana/turns', turns('y'.repeat(1_500))))).toEqual([
      429,
      'too-many-bytes',
    ])
    expect((await keepsake.stats()).turns).toBe(1)
    const { key } = await keys.create({ name: 'other', bytesPerMinute: 1_000_000 })
    const other = await app.request('/v1/scopes/bob/turns', {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(turns('y'.repeat(1_500))),
    })
    expect(other.status).toBe(201)
  })

  it('that sent as much as it may has nothing more of it read', async () => {
    const { app, headers, codeOf } = await serve({ bytesPerMinute: 2_000 })
    const send = async (length: number) => {
      const bytes = new TextEncoder().encode(JSON.stringify(turns('x'.repeat(length))))
      let read = 0
      const pull = (controller: ReadableStreamDefaultController): void => {
        read += 1
        controller.enqueue(bytes)
        controller.close()
      }
      const answer = await app.request('/v1/scopes/ana/turns', {
        method: 'POST',
        headers: { ...headers, 'Content-Length': String(bytes.length) },
        body: new ReadableStream({ pull }, { highWaterMark: 0 }),
        duplex: 'half',
      } as RequestInit)
      return { answer, read }
    }
    const first = await send(1_500)
    expect([first.answer.status, first.read]).toEqual([201, 1])
    const second = await send(1_500)
    expect([await codeOf(second.answer), second.read]).toEqual([[429, 'too-many-bytes'], 0])
    // What is larger than any request may be counts as nothing.
    expect(await codeOf((await send(1_000_000)).answer)).toEqual([413, 'too-large'])
  })

  it('sends as many bytes a minute as it may, to all processes together', async () => {
    const shared = { bytesPerMinute: 5_000, sharesLimits: true }
    // All count by the minutes of the clock, the last moment of one here.
    let now = Date.parse('2026-05-01T12:00:59.999Z')
    const { app, headers, codeOf } = await serve(shared, {}, () => now)
    const { deps, close } = testDeps(keepsake, { now: () => now })
    onTestFinished(close)
    const other = createApp(deps, { keys: new KeyStore(keepsake.records), ...shared })
    const send = (to: typeof app, text: string) =>
      to.request('/v1/scopes/ana/turns', { method: 'POST', headers, body: JSON.stringify(turns(text)) })
    expect((await send(app, 'x'.repeat(3_000))).status).toBe(201)
    expect(await codeOf(await send(other, 'y'.repeat(3_000)))).toEqual([429, 'too-many-bytes'])
    now += 1
    expect((await send(other, 'y'.repeat(3_000))).status).toBe(201)
  })

  it.each([
    ['brackets', '['.repeat(200_000) + ']'.repeat(200_000)],
    ['objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
    ['brackets that nothing closes', '['.repeat(300_000)],
  ])('may send no body of %s within each other, which costs more than it is long', async (_, deep) => {
    const { app, headers, codeOf } = await serve()
    const body = `{"turns":[{"role":"user","text":"[[[{{{\\"","metadata":{"a":${deep}}}]}`
    const answer = await app.request('/v1/scopes/ana/turns', { method: 'POST', headers, body })
    expect(await codeOf(answer)).toEqual([400, 'too-deep'])
    const flat = JSON.stringify({
      ...turns('['.repeat(500)),
      session: String.raw`\"`.repeat(9) + '['.repeat(200),
    })
    expect((await app.request('/v1/scopes/ana/turns', { method: 'POST', headers, body: flat })).status).toBe(
      201,
    )
  })

  it('has so many requests under way, and another is served meanwhile', async () => {
    const { app, headers, codeOf, keys } = await serve({ requestsPerMinute: null, concurrentRequests: 4 })
    const { key } = await keys.create({ name: 'other' })
    const ask = async (given: Record<string, string>) =>
      app.request('/v1/scopes/ana/persona', { headers: given })
    const flood = Array.from({ length: 300 }, () => ask(headers))
    expect((await ask({ Authorization: `Bearer ${key}` })).status).toBe(200)
    const answers = await Promise.all(flood)
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200).length + refused.length).toBe(300)
    expect(refused.length).toBeGreaterThan(200)
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect(refused[0] && (await codeOf(refused[0]))).toEqual([429, 'too-many-at-once'])
    expect((await ask(headers)).status).toBe(200)
  })

  it('ends when its time is over', async () => {
    let now = 1_000
    const keys = new KeyStore(keepsake.records, { now: () => now })
    await expect(keys.create({ name: 'x', expiresAt: 500 })).rejects.toMatchObject({ code: 'invalid-input' })
    const { key, entry } = await keys.create({ name: 'x', expiresAt: 2_000 })
    expect(await keys.verify(key)).not.toBeNull()
    now = 2_000
    expect([await keys.verify(key), await keys.standing(entry.id), await keys.count()]).toEqual([
      null,
      null,
      0,
    ])
  })

  it('is followed by another, and goes on for the grace', async () => {
    let now = 1_000
    const keys = new KeyStore(keepsake.records, { now: () => now })
    const { key, entry } = await keys.create({
      name: 'bot',
      users: ['ana'],
      actions: ['read'],
      upstreamPerDay: 5,
    })
    const made = await keys.rotate(entry.id, 1_000)
    const grant = await keys.verify(made?.key ?? '')
    expect(grant).toMatchObject({ name: 'bot', users: ['ana'], actions: ['read'], upstreamPerDay: 5 })
    expect(await keys.verify(key)).not.toBeNull()
    now = 2_000
    expect(await keys.verify(key)).toBeNull()
    expect(await keys.verify(made?.key ?? '')).not.toBeNull()
    expect([await keys.rotate(entry.id, 0), await keys.rotate('0123456789ab', 0)]).toEqual([null, null])
  })
})

describe('the audit log', () => {
  it('keeps who read, changed and erased, and neither names nor texts', async () => {
    const audit = new AuditLog(keepsake, {
      days: 1,
      report: (error) => {
        throw error
      },
    })
    const { post, app, headers, id } = await serve(
      { audit },
      { actions: ['read', 'write', 'erase'], users: ['ana'] },
    )
    await post('/v1/scopes/ana/turns', turns('I moved to Lyon.'))
    await post('/v1/scopes/ana/recall', { question: 'Where do I live?' })
    await post('/v1/scopes/bob/recall', { question: 'Where does Bob live?' })
    await app.request('/v1/scopes/ana?everything=true', { method: 'DELETE', headers })
    await audit.close()
    const kept: AuditEntry[] = []
    for await (const entry of readAudit(keepsake.records)) kept.push(entry)
    expect(kept.map(({ key, door, action, status }) => [key, door, action, status])).toEqual([
      [id, 'rest', 'write', 201],
      [id, 'rest', 'read', 200],
      [id, 'rest', 'read', 403],
      [id, 'rest', 'erase', 200],
    ])
    expect(kept[0]?.owner).toEqual(expect.any(Number))
    expect(kept[3]?.owner).toBe(kept[0]?.owner)
    expect(JSON.stringify(kept)).not.toMatch(/ana|bob|Lyon/i)
    expect(await Array.fromAsync(readAudit(keepsake.records, Date.now() + 60_000))).toEqual([])
  })
})
