import { expect, it } from 'vitest'
import { makeMemory } from '../../../keepsake/src/memories/memory-fixture.ts'
import type { EmbeddedModel } from '@keepsake/text'
import type { LanguageModel } from 'keepsake'
import { promptRunner, type LanguageRequest } from 'keepsake/model'
import { wholeCompressor } from './compress-whole.ts'

it('has a portrait that is too long shortened by the model, once', async () => {
  const requests: LanguageRequest[] = []
  const answers = [
    { user: 'Maya sings. '.repeat(300), relationship: '', events: '' },
    { user: 'Maya sings a lot.', relationship: '', events: '' },
  ]
  const model: LanguageModel = {
    id: 'scripted/1',
    generate: (request) => {
      requests.push(request)
      return Promise.resolve({
        text: JSON.stringify(answers[requests.length - 1]),
        finish: 'stop',
        usage: { input: null, output: null },
      })
    },
    stream: () => {
      throw new Error('Nothing is streamed.')
    },
  }
  const scope = { tenant: 'default', user: 'maya', agent: null, app: null }
  const ask = promptRunner({ model }).for('maya', scope)
  const made = await wholeCompressor().compress(
    { previous: null, sessions: [makeMemory({ text: 'Maya sings.' })], turns: [] },
    { ask, embedding: {} as EmbeddedModel },
  )
  expect(made).toBe('User: Maya sings a lot.')
  expect(requests).toHaveLength(2)
  expect(requests[1]?.messages.at(-1)?.text).toContain('as long as 600 words')
})
