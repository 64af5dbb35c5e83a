import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  CHAT_APIS,
  gatedUpstream,
  type ChatApi,
  type GatedUpstream,
  type UpstreamStep,
} from '../testing/gated-upstream.ts'
import { KilledServer, WAYS_TO_GO, type WayToGo } from '../testing/killed-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'keepsake-chats-killed-'))
let upstream: GatedUpstream
let server: KilledServer
beforeAll(async () => {
  upstream = await gatedUpstream()
  const to = ['--upstream', upstream.url, '--anthropic-upstream', upstream.url]
  server = await KilledServer.start('--db', join(folder, 'memory.db'), '--unlocked', ...to)
}, 180_000)
afterEach(() => letPass())
afterAll(async () => {
  await server.end('SIGTERM')
  await upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Kills about the end of answers, each a little later than the one before. */
const ROUNDS = 5
const PAUSE_MS = 8

interface Chat {
  readonly api: ChatApi
  readonly stream: boolean
  readonly user: string
}

const PATHS = { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' } as const

const questionOf = ({ user }: Chat): string => `I am ${user} and I keep bees.`

function requestOf(chat: Chat): RequestInit {
  const { api, stream, user } = chat
  const said = questionOf(chat)
  const talk = api === 'responses' ? { input: said } : { messages: [{ role: 'user', content: said }] }
  const headers = {
    'content-type': 'application/json',
    'x-keepsake-user': user,
    'idempotency-key': `message of ${user}`,
    connection: 'close',
  }
  return {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'm', max_tokens: 50, stream, ...talk }),
  }
}

/** What a client saw of an answer. `isWhole`: it came to its end, with no error on the way. */
interface Seen {
  text: string
  isWhole: boolean
  status: number
}

/** Asks once and reads as long as something comes. */
async function ask(chat: Chat, seen: Seen): Promise<Seen> {
  try {
    const answer = await fetch(server.url + PATHS[chat.api], requestOf(chat))
    seen.status = answer.status
    const decoder = new TextDecoder()
    for await (const piece of answer.body ?? []) seen.text += decoder.decode(piece)
    seen.isWhole = answer.ok
  } catch {
    // Broken off: the client was told, and what it saw before is noted.
  }
  return seen
}

const unseen = (): Seen => ({ text: '', isWhole: false, status: 0 })

/** What the agent said in an answer of any API, streamed or not. */
function wordsIn(text: string): string {
  const events = text.includes('data: ')
    ? [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '{}']) => JSON.parse(data) as object)
    : [JSON.parse(text) as object]
  const words = events.map((event) => {
    const said = JSON.stringify(event)
    const isEnd =
      text.includes('data: ') && /"response\.(?:completed|output_item\.done)"|"message_start"/.test(said)
    return isEnd ? '' : (/"(?:content|text|delta)":"([^"]*)"/.exec(said)?.[1] ?? '')
  })
  return words.join('')
}

/** A step of the upstream that waits until so many chats are at it, and the test lets them go on. */
function hold(
  step: UpstreamStep,
  chats: number,
): { readonly reached: Promise<void>; readonly go: () => void } {
  const [reached, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let waiting = 0
  upstream.before = (at) => {
    if (at !== step) return Promise.resolve()
    waiting += 1
    if (waiting === chats) reached.resolve()
    return gone.promise
  }
  return { reached: reached.promise, go: gone.resolve }
}

/** The same request again, until it is answered; then the question stands once, and one answer: the one that was given. */
async function mustComeAgain(chat: Chat): Promise<string> {
  const answer = await server.ask(PATHS[chat.api], requestOf(chat))
  expect(answer.status).toBe(200)
  const said = wordsIn(await answer.text())
  expect(await server.turns(chat.user)).toEqual([
    { role: 'user', text: questionOf(chat) },
    { role: 'agent', text: said },
  ])
  return said
}

/** A chat by each API, streamed and not, each of a person of its own. */
function chatsOf(name: string, streamed: readonly boolean[] = [true, false]): readonly Chat[] {
  return CHAT_APIS.flatMap((api) =>
    streamed.map((stream) => ({ api, stream, user: `${name}-${api}-${stream ? 'streamed' : 'whole'}` })),
  )
}

const letPass = (): void => {
  upstream.before = () => Promise.resolve()
}

describe.each(WAYS_TO_GO)('chats whose %s is killed', (way) => {
  it('before the upstream answers are said again as new', async () => {
    const chats = chatsOf(`early-${way}`)
    const { reached, go } = hold('answer', chats.length)
    upstream.says = 'Never heard.'
    const asking = chats.map((chat) => ask(chat, unseen()))
    await reached
    await server.kill(way)
    for (const seen of await Promise.all(asking)) {
      expect(seen.isWhole).toBe(false)
      expect(seen.text).not.toContain('Never')
    }
    for (const { user } of chats) expect(await server.turns(user)).toEqual([])
    letPass()
    go()
    upstream.says = 'I see.'
    for (const chat of chats) expect(await mustComeAgain(chat)).toBe('I see.')
  }, 120_000)

  it('amid their answers have their questions kept, say that they broke off, and are answered anew', async () => {
    const chats = chatsOf(`amid-${way}`, [true])
    const { reached, go } = hold('rest', chats.length)
    upstream.says = 'A long story that nobody hears the end of.'
    const seen = chats.map(unseen)
    const asking = chats.map((chat, index) => ask(chat, seen[index] ?? unseen()))
    await reached
    await expect.poll(() => seen.every(({ text }) => text !== '')).toBe(true)
    await server.kill(way)
    for (const { isWhole } of await Promise.all(asking)) expect(isWhole).toBe(false)
    for (const chat of chats)
      expect(await server.turns(chat.user)).toEqual([{ role: 'user', text: questionOf(chat) }])
    letPass()
    go()
    upstream.says = 'A short one.'
    for (const chat of chats) expect(await mustComeAgain(chat)).toBe('A short one.')
  }, 120_000)

  it('when they were answered stand once, and say the same again', async () => {
    const chats = chatsOf(`late-${way}`)
    upstream.says = 'The first answer.'
    const seen = await Promise.all(chats.map((chat) => ask(chat, unseen())))
    expect(seen.map(({ isWhole }) => isWhole)).toEqual(chats.map(() => true))
    await server.kill(way)
    upstream.says = 'Another answer.'
    const before = upstream.asked()
    for (const chat of chats) expect(await mustComeAgain(chat)).toBe('The first answer.')
    expect(upstream.asked()).toBe(before)
  }, 120_000)

  it(`at any moment about the end of their answers stand once, ${ROUNDS} times`, async () => {
    const phases = new Map<Phase, number>()
    for (let round = 0; round < ROUNDS; round += 1)
      for (const phase of await killNearTheEnd(way, round)) phases.set(phase, (phases.get(phase) ?? 0) + 1)
    // oxlint-disable-next-line no-console -- which moments were met is chance, and whoever reads the run is told
    console.info(`kills of ${way}: ${JSON.stringify(Object.fromEntries(phases))}`)
    const met = [...phases.values()].reduce((sum, count) => sum + count, 0)
    expect(met).toBe(ROUNDS * CHAT_APIS.length * 2)
  }, 300_000)
})

/** Where a kill met a chat, as its client and the memory tell. */
type Phase = 'nothing kept' | 'question kept' | 'answer kept, end unseen' | 'end seen'

async function killNearTheEnd(way: WayToGo, round: number): Promise<Phase[]> {
  const chats = chatsOf(`round-${way}-${round}`)
  // The last piece of streams, and everything of the others, is about to come.
  const [atEnd, atAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let waiting = 0
  upstream.before = (step, stream) => {
    if (step !== (stream ? 'end' : 'answer')) return Promise.resolve()
    waiting += 1
    if (waiting === chats.length) atEnd.resolve()
    return atAnswer.promise
  }
  upstream.says = `Answer ${round}.`
  const asking = chats.map((chat) => ask(chat, unseen()))
  await atEnd.promise
  atAnswer.resolve()
  await sleep(round * PAUSE_MS)
  await server.kill(way)
  const seen = await Promise.all(asking)
  upstream.says = `Other ${round}.`
  letPass()
  const phases: Phase[] = []
  for (const [index, chat] of chats.entries())
    phases.push(await phaseOf(chat, seen[index] ?? unseen(), round))
  return phases
}

/** Where the kill met a chat; what was promised of it must hold, before it comes again and after. */
async function phaseOf(chat: Chat, seen: Seen, round: number): Promise<Phase> {
  const kept = await server.turns(chat.user)
  const said = await mustComeAgain(chat)
  const isAnswered = kept.length === 2
  // Whoever saw the end finds it kept; what is kept is what is said again.
  if (seen.isWhole) expect([isAnswered, wordsIn(seen.text)]).toEqual([true, said])
  if (isAnswered) expect(said).toBe(`Answer ${round}.`)
  if (seen.text !== '' && seen.status === 200) expect(kept.length).toBeGreaterThan(0)
  if (seen.isWhole) return 'end seen'
  if (isAnswered) return 'answer kept, end unseen'
  return kept.length === 1 ? 'question kept' : 'nothing kept'
}
