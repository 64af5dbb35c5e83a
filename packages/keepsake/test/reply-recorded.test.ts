import { expect, it } from 'vitest'
import type { LanguageModel } from 'keepsake'
import { readTalks, requestKey, runTalk } from './reply-talks.ts'

const usage = { input: null, output: null }

it.each(readTalks().map((talk) => [talk.name, talk] as const))(
  'answers from memory and the chat as a capable reader does with what is sent today: %s',
  async (_, talk) => {
    const byKey = new Map(talk.talk.map(({ key, answer }) => [key, answer]))
    const versions = new Set<string | undefined>()
    const model: LanguageModel = {
      id: 'recorded/general-purpose-reader',
      generate: () => Promise.reject(new Error('nothing is generated')),
      async *stream(request) {
        const answer = byKey.get(requestKey(request))
        if (answer === undefined) throw new Error(`No answer was recorded to ${JSON.stringify(request)}.`)
        versions.add(request.prompt)
        yield { kind: 'text', text: answer }
        yield { kind: 'end', finish: 'stop', usage }
      },
    }
    const replies: unknown[] = []
    await runTalk(talk, model, ({ says, never, answerable }, text, recall) => {
      replies.push(recall.answerable)
      expect(recall.answerable).toBe(answerable)
      expect(text).toMatch(new RegExp(says, 'u'))
      if (never !== undefined) expect(text).not.toMatch(new RegExp(never, 'u'))
    })
    expect(replies).toHaveLength(talk.talk.length)
    expect([...versions]).toEqual(['reply/3'])
  },
)
