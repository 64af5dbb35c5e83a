import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { Child } from '../../processes/child.ts'
import { makeKey, ServerProcess } from '../../server-load/server-process.ts'
import type { Fault, Trial } from '../fault.ts'
import { findBroken } from '../find-broken.ts'
import { Promised } from '../promised.ts'
import { CHAT_PHASES, leftBy, type ChatPhase } from './chat-phases.ts'
import { HELD } from './hold-chat.ts'
import { HELD_SERVER, type HeldServerRequest } from './held-server.ts'
import { answerTo, slowUpstream } from './slow-upstream.ts'
import { sayingOf } from './talker.ts'

const HELD_USER = 'ana'
const OTHERS = ['ben', 'cleo'] as const
const WORD_MS = 2
/** A chat that does not come to its phase by then shows nothing, and is told as failed. */
const PATIENCE_MS = 60_000
const BUSY_MS = 20

interface Chat {
  readonly user: string
  readonly question: string
  readonly stream: boolean
  /** Its `Idempotency-Key`. */
  readonly once?: string
  /** What the caller saw of the answer before the server was gone. */
  seen: string
  isWhole: boolean
}

/**
 * A server is killed exactly where a chat through its OpenAI door is at a phase, each phase in its turn, while others talk beside. What the
 * phase says must be there and nothing else; the same request is then answered as it was, or anew, and stands once.
 */
export const killChat: Fault = {
  name: 'kill-chat',
  about: 'A server is killed at every phase of a chat that passes through its OpenAI-compatible door.',
  async try(trial) {
    const phase = CHAT_PHASES[trial.seed % CHAT_PHASES.length] ?? 'amid-stream'
    const path = join(trial.folder, 'memory.db')
    const key = await makeKey(path)
    const chats = await talkUntilKilled(trial, { path, key, phase })
    const [held] = chats
    if (held === undefined) throw new Error('Nobody talked.')
    const promised = promisedTo(chats)
    const wrong = await askAgain({ path, key, phase }, held)
    promised.keep(held.user, held.question)
    const cut = chats.filter(({ seen, isWhole }) => seen !== '' && !isWhole).length
    const counts = { kills: 1, chats: chats.length, cut_answers: cut, [`killed_${phase}`]: 1 }
    return {
      tried: { ...counts, whole_answers: chats.filter(({ isWhole }) => isWhole).length },
      broken: [...wrong, ...(await findBroken({ path, promised }))],
    }
  },
}

interface Killing {
  readonly path: string
  readonly key: string
  readonly phase: ChatPhase
}

/** @returns all chats, the held one first */
async function talkUntilKilled({ draw }: Trial, { path, key, phase }: Killing): Promise<Chat[]> {
  const reached = Promise.withResolvers<void>()
  const upstream = await slowUpstream({ wordMs: WORD_MS, before: stopAt(phase, reached.resolve) })
  const server = new Child<string>(HELD_SERVER, {
    path,
    upstream: upstream.url,
    phase,
  } satisfies HeldServerRequest)
  const url = await server.started
  const question = sayingOf(draw, HELD)
  const stream = phase === 'amid-stream' || draw.chance(0.5)
  const held: Chat = { user: HELD_USER, question, stream, once: 'held', seen: '', isWhole: false }
  const chats = [held]
  const isOver = new AbortController()
  const talk = async (user: string): Promise<void> => {
    for (let number = 0; !isOver.signal.aborted; number += 1) {
      const said = sayingOf(draw, `${user} ${number}`)
      const chat: Chat = { user, question: said, stream: draw.chance(0.7), seen: '', isWhole: false }
      chats.push(chat)
      if (!(await ask(url, key, chat))) return
    }
  }
  const talking = OTHERS.map(talk)
  const asking = ask(url, key, held)
  const inStore = server.ask('reached')
  // The server is gone before it answers that, where a phase is not of its store.
  inStore.catch(() => undefined)
  const there = phase === 'acknowledged' ? asking : Promise.race([reached.promise, inStore])
  const late = sleep(PATIENCE_MS, 'late', { ref: false })
  const isLate = (await Promise.race([there, late])) === 'late'
  if (phase === 'amid-stream' && !isLate) await untilSeen(held)
  await server.kill()
  isOver.abort()
  await Promise.all([...talking, asking])
  await upstream.close()
  if (isLate) throw new Error(`The chat did not come to ${phase} in ${PATIENCE_MS / 1_000} s.`)
  return chats
}

/** Of what the upstream has said, the caller sees what was handed on. */
async function untilSeen(chat: Chat): Promise<void> {
  while (chat.seen === '') await sleep(1)
}

/** Stops the upstream's answer to the held chat for good, where the phase is in its hands. */
function stopAt(phase: ChatPhase, reached: () => void) {
  const step = phase === 'upstream-asked' ? 'answer' : phase === 'amid-stream' ? 'rest' : null
  return (at: 'answer' | 'rest', question: string): Promise<void> => {
    if (at !== step || !question.includes(HELD)) return Promise.resolve()
    reached()
    return new Promise(() => undefined)
  }
}

function promisedTo(chats: readonly Chat[]): Promised {
  const promised = new Promised()
  for (const chat of chats) {
    if (chat.seen !== '') promised.keep(chat.user, chat.question)
    if (chat.isWhole) promised.keep(chat.user, answerTo(chat.question))
  }
  return promised
}

/** Looks what the kill left of the held chat, and sends the same request to the next server. @returns what does not hold */
async function askAgain({ path, key, phase }: Killing, held: Chat): Promise<string[]> {
  const left = leftBy(phase)
  const anew = (question: string): string => `${answerTo(question)} Again.`
  const upstream = await slowUpstream({ wordMs: 0, answerTo: anew })
  const server = await ServerProcess.start({ path, synchronous: 'full', upstream: upstream.url })
  const before = await textsOf(server.url, key)
  const again: Chat = { ...held, seen: '', isWhole: false }
  while (!(await ask(server.url, key, again)) || !again.isWhole) {
    again.seen = ''
    await sleep(BUSY_MS)
  }
  const after = await textsOf(server.url, key)
  await server.stop()
  await upstream.close()
  const [first, second] = [answerTo(held.question), anew(held.question)]
  const due = [...(left.question ? [held.question] : []), ...(left.answer ? [first] : [])]
  return [
    ...differ(`killed at ${phase}, there is`, before, due),
    ...differ(`asked again after ${phase}, there is`, after, [held.question, left.replays ? first : second]),
    ...(left.replays && held.isWhole && again.seen !== held.seen
      ? [`asked again after ${phase}, it is answered otherwise than before`]
      : []),
  ]
}

function differ(what: string, texts: readonly string[], due: readonly string[]): string[] {
  return texts.join('\n') === due.join('\n')
    ? []
    : [`${what} ${JSON.stringify(texts)} and not ${JSON.stringify(due)}`]
}

/** What the held person's talk is, in order. */
async function textsOf(url: string, key: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await request(`${url}/v1/scopes/${HELD_USER}/turns`, { headers })
  if (answer.statusCode === 404) {
    await answer.body.dump()
    return []
  }
  const { turns } = (await answer.body.json()) as { turns: readonly { text: string }[] }
  return turns.map(({ text }) => text)
}

/** @returns whether the server is still there. */
async function ask(url: string, key: string, chat: Chat): Promise<boolean> {
  const { user, question, stream, once } = chat
  try {
    const { statusCode, body } = await request(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(once === undefined ? {} : { 'idempotency-key': once }),
      },
      body: JSON.stringify({ model: 'slow', stream, user, messages: [{ role: 'user', content: question }] }),
    })
    for await (const piece of body) chat.seen += String(piece)
    chat.isWhole = statusCode === 200 && (!stream || chat.seen.includes('[DONE]'))
    return true
  } catch {
    // Broken off, as was meant: what was seen is noted.
    return false
  }
}
