import { beforeEach, describe, expect, it } from 'vitest'
import { scriptedUpstream, sendWhole, type ScriptedUpstream } from './testing/scripted-upstream.ts'
import { serveChat, type ServedChat } from './testing/serve-chat.ts'

type Message = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }

let upstream: ScriptedUpstream
let served: ServedChat
beforeEach(async () => {
  upstream = await scriptedUpstream()
  served = await serveChat({ upstream: { url: upstream.url, key: 'sk-upstream' } })
})

async function send(messages: readonly Message[], answer: string): Promise<void> {
  upstream.script = (_, response) => sendWhole(response, answer)
  await served.client().chat.completions.create({ model: 'm', user: 'ana', messages: [...messages] })
  await served.pending.drain()
}

const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })
const storedTurns = () => served.turns({ user: 'ana' })

const ROUNDS = [
  ['I restore harmoniums.', 'A rare craft.'],
  ['The oldest one is from 1871.', 'It has seen a lot.'],
  ['It came from a chapel in Wales.', 'Which chapel?'],
] as const
const HISTORY = ROUNDS.flatMap(([question, answer]) => [user(question), assistant(answer)])
const LAST = user('The bellows leak.')

/** Stores all rounds as a client that sends its whole history, then a message that it answers. */
async function talk(answer: string): Promise<void> {
  for (const [index, [question, reply]] of ROUNDS.entries())
    await send([...HISTORY.slice(0, 2 * index), user(question)], reply)
  await send([...HISTORY, LAST], answer)
}

describe('a client that sends fewer old messages than before', () => {
  it.each([
    ['the last exchange', HISTORY.slice(4)],
    ['two exchanges', HISTORY.slice(2)],
    ['a summary and the last exchange', [user('Summary: harmoniums.'), ...HISTORY.slice(4)]],
    [
      'messages with other white space',
      HISTORY.map(({ role, content }) => ({ role, content: `${content} ` })),
    ],
    [
      'instructions and a long last message',
      [{ role: 'system', content: 'Be kind.' } as const, ...HISTORY.slice(4)],
    ],
  ])('has its answer replaced and its last message edited: it sends %s', async (_, history) => {
    await talk('Tape them.')
    for (const answer of ['Glue them.', 'Sew them.']) await send([...history, LAST], answer)
    expect((await storedTurns()).slice(6)).toEqual(['user: The bellows leak.', 'assistant: Sew them.'])
    await send([...history, user('The bellows squeak.')], 'Oil them.')
    expect((await storedTurns()).slice(6)).toEqual(['user: The bellows squeak.', 'assistant: Oil them.'])
  })

  it('has its answer replaced after it trimmed its own message and the answer before', async () => {
    await send([user('I restore harmoniums. ')], '  A rare craft.\n')
    const answers = ['First.', 'Second.', 'Third.']
    for (const [index, question] of [
      '\nI restore harmoniums.',
      'I restore harmoniums.',
      ' I restore harmoniums.',
    ].entries())
      await send([user(question), assistant('A rare craft.'), LAST], answers[index] ?? '')
    expect((await storedTurns()).slice(2)).toEqual(['user: The bellows leak.', 'assistant: Third.'])
  })

  it('goes on without a message stored twice', async () => {
    await talk('Tape them.')
    const history = [...HISTORY.slice(4), LAST, assistant('Tape them.')]
    await send([...history, user('Done.')], 'Good.')
    expect(await storedTurns()).toHaveLength(10)
  })
})

it('another chat that begins with a stored question, after other words, keeps both answers', async () => {
  await send([user('Hi')], 'Hello!')
  await send([user('Hi'), assistant('Hello!'), user('What do goats eat?')], 'Hay.')
  await send([user('Hey'), assistant('Yes?'), user('What do goats eat?')], 'Leaves.')
  const turns = await storedTurns()
  expect(turns).toContain('assistant: Hay.')
  expect(turns).toContain('assistant: Leaves.')
})

const CALL = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
} as unknown as Message
const RESULT = { role: 'tool', tool_call_id: 'c1', content: '20' } as unknown as Message

it('the last answer of a tool loop is replaced when it is asked for again, and its earlier parts stay', async () => {
  const question = user('What is the weather in Thun?')
  for (const answer of ['Sunny.', 'Rainy.', 'Foggy.']) await send([question, CALL, RESULT], answer)
  expect(await storedTurns()).toEqual(['user: What is the weather in Thun?', 'assistant: Foggy.'])
  const part = { ...CALL, content: 'Foggy.' }
  for (const answer of ['Take a scarf.', 'Take a coat.', 'Take a scarf.'])
    await send([question, CALL, RESULT, part, RESULT], answer)
  expect((await storedTurns()).slice(1)).toEqual(['assistant: Foggy.', 'assistant: Take a scarf.'])
})
