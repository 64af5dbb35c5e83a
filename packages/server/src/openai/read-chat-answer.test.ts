import { describe, expect, it } from 'vitest'
import type { Answer } from '../chats/read-answer.ts'
import { event } from '../chats/testing/scripted-upstream.ts'
import { chatAnswerReader as answerReader } from './read-chat.ts'

const encode = (text: string) => new TextEncoder().encode(text)

function read(contentType: string, ...pieces: readonly string[]): Answer {
  const reader = answerReader(contentType)
  for (const piece of pieces) reader.push(encode(piece))
  return reader.end()
}
const stream = (...pieces: readonly string[]) => read('text/event-stream', ...pieces)
const whole = (body: unknown) => read('application/json', JSON.stringify(body))

describe('a streamed answer', () => {
  it('is whole when it says so, by a reason or by the mark', () => {
    expect(stream(event({ content: 'Bees' })).isComplete).toBe(false)
    expect(stream(event({ content: 'Bees' }), event({}, 'stop')).isComplete).toBe(true)
    expect(stream(event({ content: 'Bees' }, 'length')).isComplete).toBe(true)
    expect(stream(event({ content: 'Bees' }), 'data: [DONE]\n\n').isComplete).toBe(true)
  })

  it('is not whole where a filter withheld it or an error broke in', () => {
    expect(stream(event({ content: 'Be' }, 'content_filter'), 'data: [DONE]\n\n').isComplete).toBe(false)
    const broken = stream(event({ content: 'Be' }), 'data: {"error":{"message":"x"}}\n\n', 'data: [DONE]\n\n')
    expect(broken.isComplete).toBe(false)
  })

  it('is read past what is not understood', () => {
    const odd = [
      'data: {nonsense\n\n',
      'data: null\n\n',
      'data: []\n\n',
      'data: {"choices":[null]}\n\n',
      'event: ping\n\n',
    ]
    const parts = event({
      content: [
        { type: 'text', text: 'Be' },
        { type: 'thinking', thinking: 'Hm' },
      ],
    })
    expect(stream(...odd, parts, event({ content: 'es' }, 'stop'))).toEqual({
      text: 'Bees',
      isComplete: true,
      id: null,
    })
  })

  it('is read past an event too large to hold', () => {
    const large = Array.from({ length: 3 }, () => 'x'.repeat(600_000))
    const pieces = [
      event({ content: 'Be' }),
      'data: {"choices":"',
      ...large,
      '"}\n\n',
      event({ content: 'es' }, 'stop'),
    ]
    expect(stream(...pieces)).toEqual({ text: 'Bees', isComplete: true, id: null })
  })
})

describe('a whole answer', () => {
  it('says nothing where there is no text: calls, refusals, what is no answer', () => {
    expect(whole({ choices: [{ index: 0, message: { content: null, tool_calls: [{}] } }] }).text).toBe('')
    expect(whole({ choices: [{ index: 0, message: { content: null, refusal: 'No.' } }] }).text).toBe('')
    for (const odd of [null, 7, [], {}, { choices: 'x' }, { choices: [7] }])
      expect(whole(odd)).toEqual({ text: '', isComplete: false, id: null })
    expect(read('application/json', '{"choices":[{"mess')).toEqual({ text: '', isComplete: false, id: null })
  })

  it('is not whole where a filter withheld it', () => {
    const choice = { index: 0, message: { content: 'Be' }, finish_reason: 'content_filter' }
    expect(whole({ choices: [choice] }).isComplete).toBe(false)
  })
})
