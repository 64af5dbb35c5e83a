import { afterEach, describe, expect, test } from 'vitest'
import { HTTP_SYSTEMS, httpSystem } from './http-systems.ts'
import { PeerError } from './peer-error.ts'
import type { Fault } from './testing/scripted-service.ts'
import {
  dialogue,
  KEY,
  MORNING,
  OPENING,
  PEERS,
  rig,
  type PeerUnderTest,
  type Rig,
} from './testing/under-test.ts'

const WANTED = { limit: 10, at: MORNING, tokens: 1_000 }
const stops: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function start(peer: PeerUnderTest, options = {}): Promise<Rig> {
  const made = await rig(peer.start, peer.name, options)
  stops.push(made.service.stop)
  return made
}

async function caught(promise: Promise<unknown>): Promise<PeerError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof PeerError) return error
  throw new Error('no PeerError was thrown', { cause: error })
}

test('the closed list names every peer once, with where it is and how its key is called', () => {
  expect(HTTP_SYSTEMS.map((system) => system.name)).toEqual(PEERS.map((peer) => peer.name))
  for (const system of HTTP_SYSTEMS) {
    expect(URL.canParse(system.defaultUrl)).toBe(true)
    expect(system.keyVariable).toMatch(/^[A-Z0-9_]+_KEY$/u)
  }
})

describe.each(PEERS)('$name', (peer) => {
  test('retrieves what was added, once the addition has returned', async () => {
    const { service, system } = await start(peer)
    service.store.looksNeeded = 3
    const memory = await system.open(OPENING)
    await memory.addDialogue(dialogue('one', 'I moved to Lyon', 'agent: How nice', 'I bought a bicycle'))
    const found = await memory.retrieve('Lyon', WANTED)
    expect(found.memories.map((item) => item.text)).toContainEqual(expect.stringContaining('I moved to Lyon'))
    expect(found.memories.map((item) => item.text).join()).not.toContain('bicycle')
    expect(found.context).toContain('I moved to Lyon')
    expect(memory.answer).toBeNull()
  })

  test('keeps its context within the budget and its memories within the number wanted', async () => {
    const { system } = await start(peer)
    const memory = await system.open(OPENING)
    const texts = Array.from({ length: 12 }, (_, index) => `Lyon has a place number ${'i'.repeat(index + 1)}`)
    await memory.addDialogue(dialogue('one', ...texts))
    const found = await memory.retrieve('Lyon', { limit: 4, at: MORNING, tokens: 10 })
    expect(found.memories.length).toBeGreaterThan(0)
    expect(found.memories.length).toBeLessThanOrEqual(4)
    expect(found.context.length).toBeLessThanOrEqual(40)
  })

  test('tells what each dialogue left, or that it cannot', async () => {
    const { service, system } = await start(peer)
    service.store.looksNeeded = 1
    const memory = await system.open(OPENING)
    await memory.addDialogue(dialogue('one', 'I moved to Lyon'))
    await memory.addDialogue(dialogue('two', 'I bought a bicycle'))
    const left = await memory.dialogueMemories('two')
    if (!peer.listsDialogues) expect(left).toBeNull()
    else {
      const texts = (left ?? []).map((item) => item.text).join('\n')
      expect(texts).toContain('bicycle')
      expect(texts).not.toContain('Lyon')
    }
  })

  test('lists all memories, page after page', async () => {
    const { system } = await start(peer)
    const memory = await system.open(OPENING)
    const texts = Array.from({ length: 230 }, (_, index) => `thing number ${index}.`)
    await memory.addDialogue(dialogue('one', ...texts))
    const listed = (await memory.memories())?.map((item) => item.text) ?? []
    expect(listed).toHaveLength(230)
    for (const text of texts) expect(listed).toContainEqual(expect.stringContaining(text))
  })

  test('corrects a memory', async () => {
    const { system } = await start(peer)
    const memory = await system.open(OPENING)
    await memory.addDialogue(dialogue('one', 'I moved to Lyon'))
    const [item] = (await memory.memories()) ?? []
    await memory.update(item?.id ?? '', 'Ana moved to Nantes')
    const found = await memory.retrieve('Nantes Lyon', WANTED)
    expect(found.context).toContain('Nantes')
    expect(found.context).not.toContain('Lyon')
  })

  test('deletes its own user on closing, and nobody else', async () => {
    const { service, system } = await start(peer)
    service.store.keep('somebody-else', ['I was here before'], 'x')
    const memory = await system.open(OPENING)
    await memory.addDialogue(dialogue('one', 'I moved to Lyon'))
    expect(service.store.users.size).toBe(2)
    await memory.close()
    expect([...service.store.users.keys()]).toEqual(['somebody-else'])
    const asked = service.requests.length
    await memory.close()
    expect(service.requests).toHaveLength(asked)
  })

  test('closes in peace when somebody deleted the user before', async () => {
    const { service, system } = await start(peer)
    const memory = await system.open(OPENING)
    await memory.addDialogue(dialogue('one', 'I moved to Lyon'))
    service.store.users.clear()
    await expect(memory.close()).resolves.toBeUndefined()
  })

  test('sends nothing when nothing was added', async () => {
    const { service, system } = await start(peer)
    const memory = await system.open(OPENING)
    expect((await memory.retrieve('Lyon', WANTED)).memories).toEqual([])
    expect((await memory.memories()) ?? []).toEqual([])
    await memory.close()
    expect(service.requests).toEqual([])
  })

  test('keeps two memories apart', async () => {
    const { system } = await start(peer)
    const [one, two] = [await system.open(OPENING), await system.open(OPENING)]
    await one.addDialogue(dialogue('one', 'I moved to Lyon'))
    await two.addDialogue(dialogue('one', 'I moved to Nantes'))
    expect((await one.retrieve('moved', WANTED)).context).not.toContain('Nantes')
    expect((await two.retrieve('moved', WANTED)).context).not.toContain('Lyon')
  })

  test('counts no model calls, and says in its config that it cannot', async () => {
    const { system } = await start(peer)
    const memory = await system.open(OPENING)
    await memory.addDialogue(dialogue('one', 'I moved to Lyon'))
    expect(memory.usage()).toEqual({ calls: 0, inputTokens: 0, outputTokens: 0, embeddingRequests: 0 })
    expect(system.config['usage']).toBe('not told by the service')
    expect(system.needsModel).toBe(false)
    expect(JSON.stringify(system.config)).not.toContain(KEY)
  })
})

describe.each(PEERS.filter((peer) => peer.isBackground))('$name, processing in the background', (peer) => {
  test('gives up with what it waited for when processing never ends', async () => {
    const { service, system, waits } = await start(peer)
    service.store.looksNeeded = Number.POSITIVE_INFINITY
    const memory = await system.open(OPENING)
    const error = await caught(memory.addDialogue(dialogue('one', 'I moved to Lyon')))
    expect(error.message).toMatch(/did not report .+ as processed within 1000 ms/u)
    expect(error.message).toContain('processingMs')
    expect(waits).toEqual(Array.from({ length: 10 }, () => 100))
  })
})

describe.each(PEERS)('$name, when things go wrong', (peer) => {
  const answer = (status: number, body: unknown = {}, headers = {}): Fault => ({
    kind: 'answer',
    answer: { status, body, headers },
  })

  /** A memory with something in it, whose next request goes wrong. */
  async function open(faults: readonly Fault[], options = {}) {
    const made = await start(peer, options)
    const memory = await made.system.open(OPENING)
    await memory.addDialogue(dialogue('one', 'I moved to Lyon'))
    made.service.fail(...faults)
    const before = made.service.requests.length
    return { ...made, memory, asked: () => made.service.requests.length - before }
  }

  test('a wrong key: says where it is kept, and asks once', async () => {
    const { service, system } = await start(peer, { apiKey: 'another-secret' })
    const memory = await system.open(OPENING)
    const error = await caught(memory.addDialogue(dialogue('one', 'I moved to Lyon')))
    const variable = HTTP_SYSTEMS.find((known) => known.name === peer.name)?.keyVariable ?? ''
    expect(error).toMatchObject({ system: peer.name, status: 401, isRetryable: false, method: 'POST' })
    expect(error.message).toContain(`Check the key in ${variable}`)
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
    // Waiting moves the clock; what an addition waited before counts too.
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
    if (peer.name === 'supermemory') await adding
    else expect(await caught(adding)).toMatchObject({ status: 500, mayHaveActed: true })
    const kept = [...service.store.users.values()].flat().filter((item) => item.text.includes('bicycle'))
    expect(kept).toHaveLength(peer.name === 'supermemory' ? 1 : 0)
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
      peer.name === 'zep' ? answer(200, { edges: [{ uuid: 'e1' }] }) : answer(200, { code: 0, errno: 0 })
    const field = { zep: 'edges.0.fact', memobase: 'data', memos: 'data' }[peer.name as string] ?? 'results'
    const { memory } = await open([fault])
    const error = await caught(memory.retrieve('Lyon', WANTED))
    expect(error.message).toContain(`without what is documented: ${field}:`)
    expect(error.message).toContain(error.path ?? 'no path')
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
    const { service, system, waits } = await start(peer)
    await service.stop()
    stops.pop()
    const memory = await system.open(OPENING)
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

describe('setting a peer up', () => {
  test('says where a missing key belongs', () => {
    expect(() => httpSystem('zep', {})).toThrow("Put the service's key into ZEP_API_KEY")
    expect(() => httpSystem('zep', { apiKey: '  ' })).toThrow(PeerError)
  })

  test("needs no key of a server of one's own", () => {
    expect(httpSystem('mem0-server', {}).config['baseUrl']).toBe('http://localhost:8888')
  })

  test.each(['not a url', 'ftp://host', 'http://user:secret@host', 'http://host/?key=secret'])(
    'refuses %s as a base URL, without repeating it',
    (baseUrl) => {
      const setUp = () => httpSystem('zep', { apiKey: KEY, baseUrl })
      expect(setUp).toThrow(/the base URL/u)
      expect(setUp).not.toThrow(/secret/u)
    },
  )
})
