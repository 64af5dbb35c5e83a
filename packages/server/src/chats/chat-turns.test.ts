import { describe, expect, it } from 'vitest'
import { readChatRequest } from '../openai/read-chat.ts'
import type { ChatMessage } from './chat-protocol.ts'
import { compareHistory } from './compare-history.ts'
import { chatTurns, readConversation, type TalkPlace } from './remember-exchange.ts'

const place: TalkPlace = { scope: { user: 'ana' }, session: 's' }
const at = { asked: 1, answered: 2 }

function messages(...given: readonly object[]): readonly ChatMessage[] {
  return readChatRequest(JSON.stringify({ messages: given })).messages ?? []
}
const user = (content: unknown, more = {}) => ({ role: 'user', content, ...more })
const agent = (content: unknown, more = {}) => ({ role: 'assistant', content, ...more })
const calls = { tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] }
const turnsOf = (given: readonly object[], answer: string | null = 'A', where = place) => {
  const sent = readConversation(where, messages(...given))
  const history = compareHistory([], sent.said, false)
  const exchange = { messages: messages(...given), answer, history, stored: [], continues: null }
  return chatTurns(sent, exchange, at).turns
}
const ids = (given: readonly object[], answer: string | null = 'A', where = place) =>
  turnsOf(given, answer, where).map(({ id }) => id)
const texts = (given: readonly object[], answer: string | null = 'A') =>
  turnsOf(given, answer).map(({ role, text }) => `${role}: ${text}`)

describe('chatTurns', () => {
  it('are what the user said since the last answer, and the answer', () => {
    const talk = [{ role: 'system', content: 'S' }, user('1'), agent('2'), user('3'), user('4')]
    expect(texts(talk)).toEqual(['user: 3', 'user: 4', 'assistant: A'])
    expect(texts(talk, null)).toEqual(['user: 3', 'user: 4'])
    expect(texts(talk, ' \n')).toEqual(['user: 3', 'user: 4'])
    expect(texts([agent('2')])).toEqual([])
    // The model continues an answer that the request begins.
    expect(texts([user('1'), agent('2')])).toEqual(['user: 1', 'assistant: A'])
  })

  it('reach back over calls of tools, which end no turn', () => {
    const loop = [user('1'), agent(null, calls), { role: 'tool', content: 'R' }]
    expect(texts(loop)).toEqual(['user: 1', 'assistant: A'])
    expect(
      texts([user('1'), agent(null, { function_call: { name: 'f' } }), { role: 'function', content: 'R' }]),
    ).toEqual(['user: 1', 'assistant: A'])
    expect(ids(loop)).toEqual(ids([user('1')]))
  })

  it('tell a remark before a call from the answer after it', () => {
    const [asked, remark] = ids([user('1')], 'One moment.')
    const [again, answer] = ids([user('1'), agent('One moment.', calls), { role: 'tool', content: 'R' }])
    expect(again).toBe(asked)
    expect(answer).not.toBe(remark)
  })

  it('have the ids of the same request again, and another for another answer', () => {
    expect(ids([user('1')])).toEqual(ids([user('1')]))
    expect(ids([user('1')], 'other words')[0]).toEqual(ids([user('1')])[0])
    expect(ids([user('1')], 'other words')[1]).not.toEqual(ids([user('1')])[1])
    expect(ids([{ role: 'system', content: 'It is 10:31.' }, user('1')])).toEqual(ids([user('1')]))
  })

  it('have ids of their own by what went before, who spoke, and where', () => {
    const [id] = ids([user('1')])
    const others = [
      ids([user('0'), agent('x'), user('1')])[0],
      ids([user('1', { name: 'Ben' })])[0],
      ids([user('1'), user('1')])[1],
      ids([user('1')], null, { ...place, session: 't' })[0],
      ids([user('1')], null, { scope: { user: 'ben' }, session: 's' })[0],
      ids([user('1')], null, { scope: { user: 'ana', agent: 'juno' }, session: 's' })[0],
      ids([user('1')], null, { scope: { user: 'ana', app: 'juno' }, session: 's' })[0],
      ids([user('1')], null, { scope: { user: 'ana', tenant: 'juno' }, session: 's' })[0],
    ]
    expect(new Set([id, ...others]).size).toBe(others.length + 1)
    expect(ids([user('1')], null, { scope: { user: 'ana', tenant: 'default' }, session: 's' })).toEqual([id])
  })

  it('hold pictures, sounds and files, the speaker’s name, and the time', () => {
    const content = [
      { type: 'text', text: 'Look:' },
      { type: 'image_url', image_url: { url: 'data:…' } },
      { type: 'input_audio', input_audio: {} },
      { type: 'file', file: {} },
      { type: 'of-tomorrow' },
    ]
    expect(turnsOf([user(content, { name: 'Ben' })])).toMatchObject([
      { role: 'user', text: 'Look:', attachments: content.slice(1, 4), speaker: 'Ben', at: 1 },
      { role: 'assistant', text: 'A', at: 2 },
    ])
  })
})
