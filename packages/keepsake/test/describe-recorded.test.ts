import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readAttachments, type LanguageModel } from 'keepsake'
import type { LanguageRequest } from 'keepsake/model'
import { openForTest } from './open-for-test.ts'

/** A picture with what a capable reader answered to the request that it makes. */
interface RecordedPicture {
  readonly picture: string
  readonly said: string
  readonly caption?: string
  readonly question: string
  /** A hash of the request that was answered. */
  readonly key: string
  readonly answer: string
  readonly shows: string
}

const folder = new URL('pictures/', import.meta.url)
const pictures = JSON.parse(readFileSync(new URL('descriptions.json', folder), 'utf8')) as RecordedPicture[]

function requestKey({ prompt, system, messages }: LanguageRequest): string {
  const said = messages.map(({ role, text, files = [] }) => [
    role,
    text,
    files.map(({ data }) =>
      data instanceof URL ? data.href : createHash('sha256').update(data).digest('hex'),
    ),
  ])
  return createHash('sha256')
    .update(JSON.stringify([prompt, system, said]))
    .digest('hex')
    .slice(0, 24)
}

it.each(pictures)(
  'describes $picture as a capable reader does with what is sent today, and finds it by that',
  async ({ picture, said, caption, question, key, answer, shows }) => {
    const asked: (string | undefined)[] = []
    const model: LanguageModel = {
      id: 'recorded/general-purpose-reader',
      takesFiles: true,
      async generate(request) {
        asked.push(request.prompt, requestKey(request))
        return { text: answer, finish: 'stop', usage: { input: null, output: null } }
      },
      stream: () => {
        throw new Error('nothing is streamed')
      },
    }
    const keepsake = await openForTest({ models: { reply: model }, describe: true })
    const user = keepsake.scope({ user: 'u' })
    const data = readFileSync(new URL(picture, folder))
    const attachments = [{ type: 'image', mediaType: 'image/png', data, caption }]
    await user.remember({ role: 'user', text: said, attachments, at: '2026-05-08T12:40:00Z' })
    await user.remember({ role: 'user', text: 'It rained.', at: '2026-05-08T12:41:00Z' })
    await keepsake.drain()
    expect(asked).toEqual(['describe/1', key])
    const [turn] = await user.turns()
    expect(readAttachments(turn?.text ?? '')).toMatchObject([
      { kind: 'image', description: { by: model.id, text: expect.stringContaining(shows) as string } },
    ])
    const { context } = await user.recall(question)
    expect(context.text).toContain(shows)
    expect(await user.memories({ forms: ['fact'] })).toEqual([])
  },
)
