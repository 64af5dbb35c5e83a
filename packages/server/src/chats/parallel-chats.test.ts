import { beforeEach, describe, expect, it } from 'vitest'
import { scriptedUpstream, sendWhole } from './testing/scripted-upstream.ts'
import { KEY, serveChat, type ServedChat } from './testing/serve-chat.ts'

const ASKED = [
  'How tall is an ash tree?',
  'I planted leeks behind the shed.',
  'Suggest a name for a ferry.',
] as const
const ana = { user: 'ana' }

type Message = { readonly role: 'user' | 'assistant'; readonly content: string }

let served: ServedChat
let waiting: (() => void)[] = []
beforeEach(async () => {
  waiting = []
  const upstream = await scriptedUpstream()
  // Every answer waits until the test releases it.
  upstream.script = ({ json }, response) => {
    const messages = json['messages'] as Message[]
    const text = `Answer to: ${messages.at(-1)?.content}`
    return new Promise<void>((resolve) => waiting.push(resolve)).then(() => sendWhole(response, text))
  }
  served = await serveChat({ upstream: { url: upstream.url, key: null } })
})

const asUser = (content: string): Message => ({ role: 'user', content })
const answerTo = (content: string): Message => ({ role: 'assistant', content: `Answer to: ${content}` })

async function ask(messages: readonly Message[]): Promise<void> {
  const response = await served.app.request('/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify({ model: 'm', user: 'ana', messages }),
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
  })
  await response.text()
}

/** Sends chats at once, and has them answered in an order. */
async function askTogether(chats: readonly (readonly Message[])[], order: readonly number[]): Promise<void> {
  const arrived = waiting.length
  const running: Promise<void>[] = []
  for (const [index, chat] of chats.entries()) {
    running.push(ask(chat))
    await expect.poll(() => waiting.length).toBe(arrived + index + 1)
  }
  for (const index of order) {
    waiting[arrived + index]?.()
    await running[index]
  }
}

describe('chats of one user at the same time, without a session', () => {
  it.each([[[0, 1, 2]], [[2, 1, 0]], [[1, 0, 2]], [[1, 2, 0]]])(
    'keep every answer, in the order %j',
    async (order) => {
      await askTogether(
        ASKED.map((text) => [asUser(text)]),
        order,
      )
      const next = 'And how is it in winter?'
      await askTogether(
        ASKED.slice(0, 2).map((text) => [asUser(text), answerTo(text), asUser(`${next} ${text}`)]),
        [1, 0],
      )
      const turns = await served.turns(ana)
      for (const text of ASKED)
        expect(turns).toEqual(expect.arrayContaining([`user: ${text}`, `assistant: Answer to: ${text}`]))
      expect(turns).toHaveLength(10)
    },
  )

  it('replace an answer only of the chat that asks again', async () => {
    await askTogether(
      ASKED.map((text) => [asUser(text)]),
      [2, 1, 0],
    )
    await askTogether([[asUser(ASKED[2])]], [0])
    expect(await served.turns(ana)).toHaveLength(6)
  })
})
