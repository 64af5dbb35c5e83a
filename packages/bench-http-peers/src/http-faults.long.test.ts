import { describe, expect, test } from 'vitest'
import { HTTP_SYSTEMS } from './http-systems.ts'
import { PeerError } from './peer-error.ts'
import type { Fault } from './testing/scripted-service.ts'
import { dialogue, KEY, MORNING, PEERS, startPeer, WANTED } from './testing/under-test.ts'

async function caught(promise: Promise<unknown>): Promise<PeerError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof PeerError) return error
  throw new Error('no PeerError was thrown', { cause: error })
}

/** Peers that process an addition before they answer it. */
const PROCESSED_IN_REQUEST: readonly string[] = ['mem0-server', 'memobase']

describe.each(PEERS.filter((peer) => !PROCESSED_IN_REQUEST.includes(peer)))(
  '%s, processing in the background',
  (peer) => {
    test('gives up with what it waited for when processing never ends', async () => {
      const { service, memory, waits } = await startPeer(peer)
      service.store.pollsNeeded = Number.POSITIVE_INFINITY
      const error = await caught(memory.addDialogue(dialogue('one', 'I moved to Lyon')))
      expect(error.message).toMatch(/did not report .+ as processed within 1000 ms/u)
      expect(error.message).toContain('processingMs')
      expect(waits).toEqual(Array.from({ length: 10 }, () => 100))
    })
  },
)

describe.each(PEERS)('%s, when things go wrong', (peer) => {
  const answer = (status: number, body: unknown = {}, headers = {}): Fault => ({
    kind: 'answer',
    answer: { status, body, headers },
  })

  /** Opens a memory with one dialogue. Its next requests meet the faults. */
  async function open(faults: readonly Fault[], options = {}) {
    const made = await startPeer(peer, options)
    await made.memory.addDialogue(dialogue('one', 'I moved to Lyon'))
    made.service.failNext(...faults)
    const before = made.service.requests.length
    return { ...made, asked: () => made.service.requests.length - before }
  }

  test('a wrong key: says where it is kept, and asks once', async () => {
    const { service, memory } = await startPeer(peer, { apiKey: 'another-secret' })
    const error = await caught(memory.addDialogue(dialogue('one', 'I moved to Lyon')))
    const variable = HTTP_SYSTEMS[peer].keyVariable
    expect(error).toMatchObject({ system: peer, status: 401, isRetryable: false })
    expect(error.message).toContain(`Check the key in ${variable}`)
    expect(error.request).toMatch(/^POST /)
    expect(service.requests).toHaveLength(1)
  })

  test('a key that the service repeats: is not shown', async () => {
    const { memory } = await open([answer(401, { message: `no such key: ${KEY}` })])
    const error = await caught(memory.retrieve('Lyon', WANTED))
    expect(error.body).toContain('[key]')
    expect([error.message, error.body, error.stack, JSON.stringify(error)].join()).not.toContain(KEY)
  })

  test('status 404: is not repeated', async () => {
    const { memory, asked } = await open([answer(404, { message: 'nothing here' })])
    const error = await caught(memory.retrieve('Lyon', WANTED))
    expect(error).toMatchObject({ status: 404, isRetryable: false })
    expect(error.message).toContain('base URL')
    expect(error.body).toContain('nothing here')
    expect(asked()).toBe(1)
  })

  test('status 429: waits as long as it is told', async () => {
    const { memory, waits } = await open([
      answer(429, {}, { 'retry-after': '7' }),
      answer(429, {}, { 'retry-after': new Date(MORNING + 60_000).toUTCString() }),
    ])
    const before = waits.length
    expect((await memory.retrieve('Lyon', WANTED)).context).toContain('Lyon')
    const [first = 0, second = 0] = waits.slice(before)
    expect(first).toBe(7_000)
    // The addition may have waited too, and waiting moves the clock.
    const elapsed = waits.slice(0, before).reduce((sum, wait) => sum + wait, 0)
    expect(second).toBe(60_000 - 7_000 - elapsed)
  })

  test('status 500, then an answer: repeats what only reads', async () => {
    const { memory, waits } = await open([answer(500), answer(502)])
    const before = waits.length
    expect((await memory.retrieve('Lyon', WANTED)).context).toContain('Lyon')
    expect(waits.slice(before)).toEqual([500, 1_000])
  })

  test('status 500 for ever: gives up after four requests', async () => {
    const { memory, asked } = await open(Array.from({ length: 9 }, () => answer(500, { error: 'broken' })))
    const error = await caught(memory.retrieve('Lyon', WANTED))
    expect(error).toMatchObject({ status: 500, isRetryable: true })
    expect(asked()).toBe(4)
  })

  test('status 500 to an addition: is repeated only where that stores nothing twice', async () => {
    const { memory, service } = await open([answer(500)])
    const adding = memory.addDialogue(dialogue('one', 'I bought a bicycle'))
    if (peer === 'supermemory') await adding
    else expect(await caught(adding)).toMatchObject({ status: 500, mayHaveActed: true })
    const kept = [...service.store.users.values()].flat().filter((item) => item.text.includes('bicycle'))
    expect(kept).toHaveLength(peer === 'supermemory' ? 1 : 0)
  })

  test('status 503 to an addition: is repeated, as nothing was taken', async () => {
    const { memory } = await open([answer(503)])
    await memory.addDialogue(dialogue('one', 'I bought a bicycle'))
    expect((await memory.retrieve('bicycle', WANTED)).context).toContain('bicycle')
  })

  test('something else than JSON: is quoted, not read as no memories', async () => {
    const { memory } = await open([{ kind: 'text', text: '<html>Welcome</html>' }])
    const error = await caught(memory.retrieve('Lyon', WANTED))
    expect(error.message).toContain('was not answered with JSON')
    expect(error.body).toBe('<html>Welcome</html>')
  })

  test('an answer of another form: names the field', async () => {
    const fault =
      peer === 'zep' ? answer(200, { edges: [{ uuid: 'e1' }] }) : answer(200, { code: 0, errno: 0 })
    const field = { zep: 'edges.0.fact', memobase: 'data', memos: 'data' }[peer as string] ?? 'results'
    const { memory } = await open([fault])
    const error = await caught(memory.retrieve('Lyon', WANTED))
    expect(error.message).toContain(`without what is documented: ${field}:`)
    expect(error.message).toContain(error.request ?? 'no request')
  })

  test('silence: gives up after the time allowed', async () => {
    const silence: Fault = { kind: 'silence' }
    const { memory } = await open([silence, silence, silence, silence], { timeoutMs: 200 })
    const error = await caught(memory.retrieve('Lyon', WANTED))
    expect(error).toMatchObject({ status: null, isRetryable: true })
    expect(error.message).toContain('gave no answer within 200 ms')
  })

  test('a connection that breaks off: is tried again', async () => {
    const { memory } = await open([{ kind: 'reset' }])
    expect((await memory.retrieve('Lyon', WANTED)).context).toContain('Lyon')
  })

  test('nobody there: says where it was looked for', async () => {
    const { service, memory, waits } = await startPeer(peer)
    await service.stop()
    const error = await caught(memory.addDialogue(dialogue('one', 'I moved to Lyon')))
    expect(error.message).toContain(`could not be sent to ${service.baseUrl} (ECONNREFUSED)`)
    expect(error).toMatchObject({ status: null, mayHaveActed: false, isRetryable: true })
    expect(waits).toEqual([500, 1_000, 2_000])
  })

  test('a redirect: is not followed, so that the key goes nowhere else', async () => {
    const { memory, asked } = await open([answer(307, {}, { location: 'http://127.0.0.1:9/' })])
    expect(await caught(memory.retrieve('Lyon', WANTED))).toMatchObject({ status: 307 })
    expect(asked()).toBe(1)
  })
})
