import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import {
  CHAT_APIS,
  gatedUpstream,
  type ChatApi,
  type GatedUpstream,
  type UpstreamStep,
} from '../testing/gated-upstream.ts'
import { KilledServer, KILL_TARGETS, type KillTarget } from '../testing/killed-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()
let upstream: GatedUpstream
let server: KilledServer
beforeAll(async () => {
  upstream = await gatedUpstream()
  const to = ['--upstream', upstream.url, '--anthropic-upstream', upstream.url]
  server = await KilledServer.start('--db', join(folder, 'memory.db'), '--unlocked', ...to)
})
afterEach(() => letPass())
afterAll(async () => {
  await server.end('SIGTERM')
  await upstream.close()
})

/** Kills of each way; `KEEPSAKE_KILL_ROUNDS=10 npm run test:long` runs more, each a little later than the one before. */
const ROUNDS = Number(process.env['KEEPSAKE_KILL_ROUNDS'] ?? 1)
/** Chats of each go on one part after the other, so that one kill meets them at moments that lie apart. */
const PARTS = 3
const PAUSE_MS = 25

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

/** Chats that the upstream holds at a step, until `go`. */
interface HeldChats {
  readonly reached: Promise<void>
  readonly go: () => void
}

/** Holds each group of chats at its step, which may depend on whether they are streamed, and lets others pass. */
function hold(
  ...groups: readonly { chats: readonly Chat[]; step: (stream: boolean) => UpstreamStep }[]
): HeldChats[] {
  const held = groups.map(({ chats, step }) => ({
    chats,
    step,
    missing: chats.length,
    reached: Promise.withResolvers<void>(),
    gone: Promise.withResolvers<void>(),
  }))
  upstream.before = (at, stream, asked) => {
    const group = held.find(({ chats }) => chats.some((chat) => asked.includes(questionOf(chat))))
    if (group?.step(stream) !== at) return Promise.resolve()
    group.missing -= 1
    if (group.missing === 0) group.reached.resolve()
    return group.gone.promise
  }
  return held.map(({ reached, gone }) => ({ reached: reached.promise, go: gone.resolve }))
}

/** The same request again, until it is answered; then the question stands once, and one answer: the one that was given. */
async function mustComeAgain(chat: Chat): Promise<string> {
  const answer = await server.ask(PATHS[chat.api], requestOf(chat))
  expect(answer.status).toBe(200)
  const said = wordsIn(await answer.text())
  expect(await server.turns(chat.user)).toEqual([
    { role: 'user', text: questionOf(chat) },
    { role: 'assistant', text: said },
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

// One kill of a round meets all of them: a start takes longer than all else.
it.each(KILL_TARGETS)(
  'chats whose %s is killed are repeated in full before and amid their answers, and are stored once after them and about their end',
  async (way) => {
    const phases = new Map<Phase, number>()
    for (let round = 0; round < ROUNDS; round += 1)
      for (const phase of await killAmidChats(way, round)) phases.set(phase, (phases.get(phase) ?? 0) + 1)
    // oxlint-disable-next-line no-console -- which moments were met is chance, and whoever reads the run is told
    console.info(`kills of ${way}: ${JSON.stringify(Object.fromEntries(phases))}`)
    const met = [...phases.values()].reduce((sum, count) => sum + count, 0)
    expect(met).toBe(ROUNDS * PARTS * CHAT_APIS.length * 2)
  },
)

/** Where a kill met a chat, as its client and the memory tell. */
type Phase = 'nothing kept' | 'question kept' | 'answer kept, end unseen' | 'end seen'

/** @returns where the kill met each of the chats that were near their end */
async function killAmidChats(way: KillTarget, round: number): Promise<Phase[]> {
  const name = `${way}-${round}`
  const [early, amid, late] = [
    chatsOf(`early-${name}`),
    chatsOf(`amid-${name}`, [true]),
    chatsOf(`late-${name}`),
  ]
  const parts = Array.from({ length: PARTS }, (_, part) => chatsOf(`part-${part}-${name}`))
  upstream.says = 'The first answer.'
  const whole = await Promise.all(late.map((chat) => ask(chat, unseen())))
  expect(whole.map(({ isWhole }) => isWhole)).toEqual(late.map(() => true))

  upstream.says = (asked) => {
    if (parts.flat().some((chat) => asked.includes(questionOf(chat)))) return `Answer ${round}.`
    return amid.some((chat) => asked.includes(questionOf(chat)))
      ? 'A long story that nobody hears the end of.'
      : 'Never heard.'
  }
  const held = hold(
    { chats: early, step: () => 'answer' },
    { chats: amid, step: () => 'rest' },
    // The last piece of streams, and everything of the others, is about to come.
    ...parts.map((chats) => ({
      chats,
      step: (stream: boolean) => (stream ? 'end' : 'answer'),
    })),
  )
  const seen = new Map([...early, ...amid, ...parts.flat()].map((chat) => [chat, unseen()]))
  const asking = [...seen].map(([chat, one]) => ask(chat, one))
  await Promise.all(held.map(({ reached }) => reached))
  await expect.poll(() => amid.every((chat) => seen.get(chat)?.text !== '')).toBe(true)
  for (const [part, { go }] of held.slice(2).entries()) {
    if (part > 0) await sleep((round + 1) * PAUSE_MS)
    go()
  }
  await server.kill(way)
  await Promise.all(asking)

  for (const chat of [...early, ...amid]) {
    expect(seen.get(chat)).toMatchObject({ isWhole: false, text: expect.not.stringContaining('Never') })
    const kept = early.includes(chat) ? [] : [{ role: 'user', text: questionOf(chat) }]
    expect(await server.turns(chat.user)).toEqual(kept)
  }
  letPass()
  for (const { go } of held) go()
  upstream.says = 'Another answer.'
  for (const chat of [...early, ...amid]) expect(await mustComeAgain(chat)).toBe('Another answer.')
  const before = upstream.asked()
  for (const chat of late) expect(await mustComeAgain(chat)).toBe('The first answer.')
  expect(upstream.asked()).toBe(before)
  const phases: Phase[] = []
  for (const chat of parts.flat()) phases.push(await phaseOf(chat, seen.get(chat) ?? unseen(), round))
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
