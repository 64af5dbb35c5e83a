import { describe, expect, test } from 'vitest'
import { HTTP_SYSTEMS, httpSystem } from './http-systems.ts'
import { PeerError } from './peer-error.ts'
import { dialogue, KEY, MORNING, OPENING, PEERS, startPeer, WANTED } from './testing/under-test.ts'

test('the list of peers has each peer once, with its address and its variable for the key', () => {
  const systems = Object.values(HTTP_SYSTEMS)
  expect(systems.map((system) => system.name)).toEqual(PEERS)
  for (const system of systems) {
    expect(URL.canParse(system.defaultUrl)).toBe(true)
    expect(system.keyVariable).toMatch(/^[A-Z0-9_]+_KEY$/u)
  }
})

describe.each(PEERS)('%s', (peer) => {
  test('finds a fact as soon as the addition has returned', async () => {
    const { service, memory } = await startPeer(peer)
    service.store.pollsNeeded = 3
    await memory.addDialogue(dialogue('one', 'I moved to Lyon', 'agent: How nice', 'I bought a bicycle'))
    const found = await memory.retrieve('Lyon', WANTED)
    expect(found.memories.map((item) => item.text)).toContainEqual(expect.stringContaining('I moved to Lyon'))
    expect(found.memories.map((item) => item.text).join()).not.toContain('bicycle')
    expect(found.context).toContain('I moved to Lyon')
    expect(memory.answer).toBeNull()
  })

  test('keeps its context within the budget and its memories within the limit', async () => {
    const { memory } = await startPeer(peer)
    const texts = Array.from({ length: 12 }, (_, index) => `Lyon has a place number ${'i'.repeat(index + 1)}`)
    await memory.addDialogue(dialogue('one', ...texts))
    const found = await memory.retrieve('Lyon', { limit: 4, at: MORNING, tokens: 10 })
    // Zep has one entity and MemOS no preference: facts fill the other places.
    expect(found.memories).toHaveLength(4)
    expect(found.context.length).toBeLessThanOrEqual(40)
  })

  test('returns the memories of each dialogue, or null', async () => {
    const { service, memory } = await startPeer(peer)
    service.store.pollsNeeded = 1
    await memory.addDialogue(dialogue('one', 'I moved to Lyon'))
    await memory.addDialogue(dialogue('two', 'I bought a bicycle'))
    const left = await memory.dialogueMemories('two')
    if (peer === 'zep') expect(left).toBeNull()
    else {
      const texts = (left ?? []).map((item) => item.text).join('\n')
      expect(texts).toContain('bicycle')
      expect(texts).not.toContain('Lyon')
    }
  })

  test('lists all memories, page after page', async () => {
    const { memory } = await startPeer(peer)
    const texts = Array.from({ length: 230 }, (_, index) => `thing number ${index}.`)
    await memory.addDialogue(dialogue('one', ...texts))
    const listed = (await memory.memories())?.map((item) => item.text) ?? []
    expect(listed).toHaveLength(230)
    for (const text of texts) expect(listed).toContainEqual(expect.stringContaining(text))
  })

  test('deletes its own user when it closes, and no other', async () => {
    const { service, memory } = await startPeer(peer)
    service.store.add('somebody-else', ['I was here before'], 'x')
    await memory.addDialogue(dialogue('one', 'I moved to Lyon'))
    expect(service.store.users.size).toBe(2)
    await memory.close()
    expect([...service.store.users.keys()]).toEqual(['somebody-else'])
    const asked = service.requests.length
    await memory.close()
    expect(service.requests).toHaveLength(asked)
  })

  test('closes without an error if the user was deleted already', async () => {
    const { service, memory } = await startPeer(peer)
    await memory.addDialogue(dialogue('one', 'I moved to Lyon'))
    service.store.users.clear()
    await expect(memory.close()).resolves.toBeUndefined()
  })

  test('sends nothing when nothing was added', async () => {
    const { service, memory } = await startPeer(peer)
    expect((await memory.retrieve('Lyon', WANTED)).memories).toEqual([])
    expect((await memory.memories()) ?? []).toEqual([])
    await memory.close()
    expect(service.requests).toEqual([])
  })

  test('keeps two memories apart', async () => {
    const { system } = await startPeer(peer)
    const [one, two] = [await system.open(OPENING), await system.open(OPENING)]
    await one.addDialogue(dialogue('one', 'I moved to Lyon'))
    await two.addDialogue(dialogue('one', 'I moved to Nantes'))
    expect((await one.retrieve('moved', WANTED)).context).not.toContain('Nantes')
    expect((await two.retrieve('moved', WANTED)).context).not.toContain('Lyon')
  })

  test('counts no model calls, and its config says why', async () => {
    const { system, memory } = await startPeer(peer)
    await memory.addDialogue(dialogue('one', 'I moved to Lyon'))
    expect(memory.usage()).toEqual({ calls: 0, inputTokens: 0, outputTokens: 0, embeddingRequests: 0 })
    expect(system.config['usage']).toBe('not reported by the service')
    expect(system.needsModel).toBe(false)
    expect(JSON.stringify(system.config)).not.toContain(KEY)
  })
})

describe('setting a peer up', () => {
  test('names the variable of a missing key', () => {
    expect(() => httpSystem('zep', {})).toThrow("Put the service's key into ZEP_API_KEY")
    expect(() => httpSystem('zep', { apiKey: '  ' })).toThrow(PeerError)
  })

  test("needs no key for the user's own server", () => {
    expect(httpSystem('mem0-server', {}).config['baseUrl']).toBe('http://localhost:8888')
  })

  test('refuses a key with characters that headers forbid, without showing it', () => {
    const setUp = () => httpSystem('zep', { apiKey: 'secret\nkey' })
    expect(setUp).toThrow('the key holds what no header may hold')
    expect(setUp).not.toThrow(/secret/u)
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
