import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { makeKey, ServerProcess } from '../load/server-process.ts'
import { CHAT_PHASES, HELD, startHeldServer, type ChatPhase } from './held-server.ts'
import { makeStatement } from './talkers.ts'
import { Ledger, findBroken, type Fault, type Trial } from './trial.ts'

const HELD_USER = 'ana'
/** The trial fails when the chat does not reach its phase within this time. */
const PHASE_TIMEOUT_MS = 60_000

interface Chat {
  readonly user: string
  readonly question: string
  readonly stream: boolean
  readonly idempotencyKey?: string
  /** The part of the answer that the caller received before the kill. */
  received: string
  isWhole: boolean
}

/**
 * Kills a server at an exact phase of a chat while other users chat, starts it again, and repeats the request with the same
 * idempotency key. The exchange must then be stored exactly once.
 */
export const killChat: Fault = {
  name: 'kill-chat',
  about: 'A server is killed at every phase of a chat that passes through its OpenAI-compatible API.',
  async try(trial) {
    const phase = CHAT_PHASES[trial.seed % CHAT_PHASES.length] ?? 'amid-stream'
    const path = join(trial.folder, 'memory.db')
    const key = await makeKey(path)
    const chats = await talkUntilKilled(trial, { path, key, phase })
    const [held] = chats
    if (held === undefined) throw new Error('There was no chat.')
    const ledger = noteChats(chats)
    const wrong = await resendChat({ path, key, phase }, held)
    ledger.keep(held.user, held.question)
    const cut = chats.filter(({ received, isWhole }) => received !== '' && !isWhole).length
    return {
      tried: { kills: 1, chats: chats.length, cut_answers: cut, [`killed_${phase}`]: 1 },
      broken: [...wrong, ...(await findBroken({ path, ledger }))],
    }
  },
}

type KillOptions = Readonly<{ path: string; key: string; phase: ChatPhase }>

/** @returns all chats, the held one first */
async function talkUntilKilled({ draw }: Trial, { path, key, phase }: KillOptions): Promise<Chat[]> {
  const reached = Promise.withResolvers<void>()
  const upstream = await slowUpstream({ wordMs: 2, before: stopAt(phase, reached.resolve) })
  const server = startHeldServer({ path, upstream: upstream.url, phase })
  const url = await server.started
  const question = makeStatement(draw, HELD)
  const stream = phase === 'amid-stream' || draw.chance(0.5)
  const held: Chat = {
    user: HELD_USER,
    question,
    stream,
    idempotencyKey: 'held',
    received: '',
    isWhole: false,
  }
  const chats = [held]
  const isOver = new AbortController()
  const talk = async (user: string): Promise<void> => {
    for (let number = 0; !isOver.signal.aborted; number += 1) {
      const text = makeStatement(draw, `${user} ${number}`)
      const chat: Chat = { user, question: text, stream: draw.chance(0.7), received: '', isWhole: false }
      chats.push(chat)
      if (!(await sendChat(url, key, chat))) return
    }
  }
  const talking = ['ben', 'cleo'].map(talk)
  const asking = sendChat(url, key, held)
  const inStore = server.ask('reached')
  // In other phases the server is killed before it reports: its rejection is expected.
  inStore.catch(() => undefined)
  // Phases of the upstream are reported by `stopAt`, phases of the store by the server's own process.
  const inPhase = phase === 'acknowledged' ? asking : Promise.race([reached.promise, inStore])
  const isLate = (await Promise.race([inPhase, sleep(PHASE_TIMEOUT_MS, 'late', { ref: false })])) === 'late'
  // In this phase the caller must have received a part of the answer.
  const hasAnswerBegun = (): boolean => held.received !== ''
  if (phase === 'amid-stream' && !isLate) while (!hasAnswerBegun()) await sleep(1)
  await server.kill()
  isOver.abort()
  await Promise.all([...talking, asking])
  await upstream.close()
  if (isLate) throw new Error(`The chat did not come to ${phase} in ${PHASE_TIMEOUT_MS / 1_000} s.`)
  return chats
}

/** Holds back the upstream's answer to the held chat in the two phases that concern the upstream. */
function stopAt(phase: ChatPhase, reached: () => void) {
  const heldSteps: Readonly<Partial<Record<ChatPhase, 'answer' | 'rest'>>> = {
    'upstream-asked': 'answer',
    'amid-stream': 'rest',
  }
  return (step: 'answer' | 'rest', question: string): Promise<void> => {
    if (step !== heldSteps[phase] || !question.includes(HELD)) return Promise.resolve()
    reached()
    return new Promise(() => undefined)
  }
}

function noteChats(chats: readonly Chat[]): Ledger {
  const ledger = new Ledger()
  for (const chat of chats) {
    if (chat.received !== '') ledger.keep(chat.user, chat.question)
    if (chat.isWhole) ledger.keep(chat.user, answerTo(chat.question))
  }
  return ledger
}

/** Returns what must remain after a kill: which turns are stored, and whether the repeated request gets the stored answer. */
function expectedAfter(phase: ChatPhase) {
  const reached = CHAT_PHASES.indexOf(phase)
  const isFrom = (first: ChatPhase): boolean => reached >= CHAT_PHASES.indexOf(first)
  return {
    question: isFrom('question-kept'),
    answer: isFrom('answer-kept'),
    replays: isFrom('answer-unkept'),
  }
}

/**
 * Compares the stored turns of the held chat with the expected ones. Then sends the same request to a new server, and compares again.
 *
 * @returns descriptions of what differs
 */
async function resendChat({ path, key, phase }: KillOptions, held: Chat): Promise<string[]> {
  const expected = expectedAfter(phase)
  const answerAgain = (question: string): string => `${answerTo(question)} Again.`
  const upstream = await slowUpstream({ wordMs: 0, answerTo: answerAgain })
  const server = await ServerProcess.start({ path, synchronous: 'full', upstream: upstream.url })
  const before = await textsOf(server.url, key)
  const again: Chat = { ...held, received: '', isWhole: false }
  while (!(await sendChat(server.url, key, again)) || !again.isWhole) {
    again.received = ''
    await sleep(20)
  }
  const after = await textsOf(server.url, key)
  await server.stop()
  await upstream.close()
  const first = answerTo(held.question)
  const second = expected.replays ? first : answerAgain(held.question)
  const expectedTexts = [...(expected.question ? [held.question] : []), ...(expected.answer ? [first] : [])]
  return [
    ...describeDifference(`killed at ${phase}, stored is`, before, expectedTexts),
    ...describeDifference(`asked again after ${phase}, stored is`, after, [held.question, second]),
    ...(expected.replays && held.isWhole && again.received !== held.received
      ? [`asked again after ${phase}, the answer differs from the first one`]
      : []),
  ]
}

function describeDifference(what: string, texts: readonly string[], expected: readonly string[]): string[] {
  return texts.join('\n') === expected.join('\n')
    ? []
    : [`${what} ${JSON.stringify(texts)} and not ${JSON.stringify(expected)}`]
}

/** Returns the texts of the held user's turns in order. */
async function textsOf(url: string, key: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await request(`${url}/v1/scopes/${HELD_USER}/turns`, { headers })
  const { turns = [] } = (await answer.body.json()) as { turns?: readonly { text: string }[] }
  return turns.map(({ text }) => text)
}

/** @returns whether the server is still running */
async function sendChat(url: string, key: string, chat: Chat): Promise<boolean> {
  const { user, question, stream, idempotencyKey } = chat
  try {
    const { statusCode, body } = await request(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify({ model: 'slow', stream, user, messages: [{ role: 'user', content: question }] }),
    })
    for await (const piece of body) chat.received += String(piece)
    chat.isWhole = statusCode === 200 && (!stream || chat.received.includes('[DONE]'))
    return true
  } catch {
    // The kill broke the connection. The received part is noted.
    return false
  }
}

interface SlowOptions {
  readonly wordMs: number
  /** Is awaited before the answer, and again when half of the answer was sent. */
  readonly before?: (step: 'answer' | 'rest', question: string) => Promise<void>
  /** Makes the answer. The default is {@link answerTo}. */
  readonly answerTo?: (question: string) => string
}

/** Serves a language model that answers each chat word by word, and repeats the last question in it. */
async function slowUpstream(options: SlowOptions) {
  const server = createServer((request, response) => {
    answer(request, response, options).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface ChatBody {
  readonly stream?: boolean
  readonly messages?: readonly { readonly role: string; readonly content: string }[]
}

function answerTo(question: string): string {
  return `You said: ${question} I will keep that in mind for you.`
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { wordMs, before, answerTo: makeAnswer = answerTo }: SlowOptions,
): Promise<void> {
  const { messages = [], stream } = (await json(request)) as ChatBody
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const content = makeAnswer(question)
  await before?.('answer', question)
  if (stream !== true) {
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ choices }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const all = content.split(/(?<= )/)
  for (const [index, word] of all.entries()) {
    if (index === Math.floor(all.length / 2)) await before?.('rest', question)
    response.write(streamEvent({ content: word }, null))
    await sleep(wordMs)
  }
  response.write(streamEvent({}, 'stop'))
  response.end('data: [DONE]\n\n')
}

function streamEvent(delta: object, finish: string | null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
}
