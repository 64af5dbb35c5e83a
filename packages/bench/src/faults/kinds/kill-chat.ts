import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { makeKey, ServerProcess } from '../../server-load/server-process.ts'
import type { Fault } from '../fault.ts'
import { findBroken } from '../find-broken.ts'
import { Promised } from '../promised.ts'
import { answerTo, slowUpstream } from './slow-upstream.ts'
import { sayingOf } from './talker.ts'

const USERS = ['ana', 'ben', 'cleo'] as const
const LATEST_MS = 500
const WORD_MS = 2

interface Chat {
  readonly user: string
  readonly question: string
  /** What the caller saw of the answer before the server was gone. */
  seen: string
}

/**
 * A server is killed while answers pass through its OpenAI door. Of a chat whose beginning its caller saw, the question must be
 * remembered; of one whose end they saw, the answer too.
 */
export const killChat: Fault = {
  name: 'kill-chat',
  about: 'A server is killed while answers stream through its OpenAI-compatible door.',
  async try({ folder, draw }) {
    const path = join(folder, 'memory.db')
    const key = await makeKey(path)
    const upstream = await slowUpstream(WORD_MS)
    const server = await ServerProcess.start({ path, synchronous: 'full', upstream: upstream.url })
    const chats: Chat[] = []
    const isOver = new AbortController()
    const talk = async (user: string): Promise<void> => {
      for (let number = 0; !isOver.signal.aborted; number += 1) {
        const chat: Chat = { user, question: sayingOf(draw, `${user} ${number}`), seen: '' }
        chats.push(chat)
        if (!(await ask(server.url, key, chat))) return
      }
    }
    const talking = USERS.map(talk)
    await sleep(draw.whole(20, LATEST_MS))
    await server.kill()
    isOver.abort()
    await Promise.all(talking)
    await upstream.close()
    const promised = promisedTo(chats)
    const begun = chats.filter(({ seen }) => seen !== '').length
    const whole = chats.filter(isWhole).length
    return {
      tried: { kills: 1, chats: chats.length, cut_answers: begun - whole, whole_answers: whole },
      broken: await findBroken({ path, promised }),
    }
  },
}

function isWhole({ seen }: Chat): boolean {
  return seen.includes('[DONE]')
}

function promisedTo(chats: readonly Chat[]): Promised {
  const promised = new Promised()
  for (const chat of chats) {
    if (chat.seen !== '') promised.keep(chat.user, chat.question)
    if (isWhole(chat)) promised.keep(chat.user, answerTo(chat.question))
  }
  return promised
}

/** @returns whether the server is still there. */
async function ask(url: string, key: string, chat: Chat): Promise<boolean> {
  const { user, question } = chat
  try {
    const { body } = await request(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'slow',
        stream: true,
        user,
        messages: [{ role: 'user', content: question }],
      }),
    })
    for await (const piece of body) chat.seen += String(piece)
    return true
  } catch {
    // Broken off, as was meant: what was seen is noted.
    return false
  }
}
