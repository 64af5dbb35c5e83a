import { beforeEach, describe, expect, it } from 'vitest'
import { scriptedUpstream, sendWhole } from './testing/scripted-upstream.ts'
import { KEY, serveChat, type ServedChat } from './testing/serve-chat.ts'

const ASKED = [
  'I planted leeks behind the shed.',
  'Suggest a name for my little ferry.',
  'My uncle repairs accordions in Trieste.',
  'Turn 12 gallons into litres for me.',
]

interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

let served: ServedChat
beforeEach(async () => {
  const upstream = await scriptedUpstream()
  upstream.script = ({ messages }, response) =>
    sendWhole(response, answerTo(String(messages.at(-1)?.content)).content)
  served = await serveChat({ upstream: { url: upstream.url, key: null } })
})

const asUser = (content: string): Message => ({ role: 'user', content })
const answerTo = (content: string): Message => ({ role: 'assistant', content: `Answer to: ${content}` })

async function ask(user: string, messages: readonly Message[]): Promise<void> {
  const response = await served.app.request('/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify({ model: 'm', user, messages }),
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
  })
  await response.text()
}

const exchanges = (questions: readonly string[]): string[] =>
  questions.flatMap((text) => [`user: ${text}`, `assistant: ${answerTo(text).content}`]).toSorted()

describe('chats of one user at the same time, without a session', () => {
  it.each([2, 3, 4])('keep every answer: %i chats', async (count) => {
    const user = `user-${count}`
    const first = ASKED.slice(0, count)
    await Promise.all(first.map((text) => ask(user, [asUser(text)])))
    expect((await served.turns({ user })).toSorted()).toEqual(exchanges(first))
    const second = first.map((text, index) => `Now for winter number ${index} I want: ${text}`)
    await Promise.all(
      second.map((text, index) =>
        ask(user, [
          ...first.slice(index, index + 1).flatMap((one) => [asUser(one), answerTo(one)]),
          asUser(text),
        ]),
      ),
    )
    expect((await served.turns({ user })).toSorted()).toEqual(exchanges([...first, ...second]))
    // One that asks again replaces its own answer only.
    await ask(user, [asUser(first.at(-1) ?? '')])
    expect((await served.turns({ user })).toSorted()).toEqual(exchanges([...first, ...second]))
  })
})

describe('a client that changed an answer in its history', () => {
  const question = asUser('I restore old tandems.')
  const next = asUser('The blue one squeaks.')
  const later = [`user: ${next.content}`, `assistant: ${answerTo(next.content).content}`]
  const sent = (answer: string): Message[] => [question, { role: 'assistant', content: answer }, next]

  it.each(['Answer to: I restore', 'How splendid!'])(
    'replaces the next answer each time it asks again: %s',
    async (answer) => {
      await ask('eli', [question])
      for (let round = 0; round < 3; round++) await ask('eli', sent(answer))
      const expected = [`user: ${question.content}`, `assistant: ${answer}`, ...later]
      expect((await served.turns({ user: 'eli' })).toSorted()).toEqual(expected.toSorted())
    },
  )

  it('replaces it also where the answer was changed just before', async () => {
    await ask('eli', [question])
    await ask('eli', sent(answerTo(question.content).content))
    await ask('eli', sent('How splendid!'))
    const expected = [`user: ${question.content}`, 'assistant: How splendid!', ...later]
    expect((await served.turns({ user: 'eli' })).toSorted()).toEqual(expected.toSorted())
  })
})
