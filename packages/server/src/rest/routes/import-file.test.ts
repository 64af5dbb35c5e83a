import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestServer, type Headers, type TestServer } from '../../testing/routes-app.ts'
import type { FieldProblem } from '../../problem.ts'

const SAMPLES = new URL('../../../../importing/test/imports/', import.meta.url)
const sample = (name: string): Buffer => readFileSync(new URL(name, SAMPLES))

/** One that asks nothing, one that asks who the user is, one of lines; that each format is read as it should be is shown of `keepsake import`, by the same readers. */
const FORMATS = ['chatgpt.json', 'openai-lines.jsonl', 'whatsapp-ios.txt']

interface Preview {
  readonly format: string | null
  readonly holds: {
    readonly turns: number
    readonly sessions: number
    readonly userNames: readonly string[]
    readonly people: readonly string[]
    readonly leftOut: readonly { readonly reason: string; readonly count: number }[]
  } | null
  readonly question: {
    readonly asks: string
    readonly sentence: string
    readonly choices: readonly { readonly name: string; readonly turns: number | null }[]
  } | null
}

let server: TestServer
let headers: Headers
beforeEach(async () => {
  server = await openTestServer()
  headers = await server.keyFor({ actions: ['write'] })
})
afterEach(() => server.close())

const send = (path: string, body: string | Buffer, more: Headers = {}): Promise<Response> =>
  Promise.resolve(
    server.app.request(`/v1/scopes/ana/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream', ...headers, ...more },
      body,
    }),
  )

async function answer<Answer>(
  path: string,
  body: string | Buffer,
): Promise<{ status: number; body: Answer }> {
  const response = await send(path, body)
  return { status: response.status, body: (await response.json()) as Answer }
}

interface Told {
  readonly detail: string
  readonly fields?: readonly FieldProblem[]
}

const turnsOf = async (): Promise<readonly string[]> =>
  (await server.keepsake.scope({ user: 'ana' }).turns()).map(({ text }) => text)

/** Answers a preview’s question with what it offers first, so often as it asks. */
async function settle(name: string): Promise<{ query: string; preview: Preview }> {
  let query = ''
  for (;;) {
    const { status, body } = await answer<Preview>(`import/preview?name=${name}&${query}`, sample(name))
    expect([name, status]).toEqual([name, 200])
    if (body.question === null) return { query, preview: body }
    const [choice] = body.question.choices
    if (choice === undefined) throw new Error(`${name}: nothing can be answered`)
    query = `${query}&${body.question.asks}=${encodeURIComponent(choice.name)}`
  }
}

describe('a file of another program', () => {
  it.each(FORMATS)('%s is recognised, previewed, imported, and not twice', async (name) => {
    const { query, preview } = await settle(name)
    expect(await turnsOf()).toEqual([])
    const turns = preview.holds?.turns ?? 0
    expect(turns).toBeGreaterThan(0)
    expect(preview.format).toBe(/^[a-z0-9]+/.exec(name)?.[0])
    const first = await answer(`import?name=${name}&${query}`, sample(name))
    expect(first).toEqual({
      status: 200,
      body: expect.objectContaining({ turns, added: turns, repeated: 0 }),
    })
    const stored = await turnsOf()
    expect(stored).toHaveLength(turns)
    const again = await answer(`import?name=${name}&${query}`, sample(name))
    expect(again.body).toMatchObject({ added: 0, repeated: turns })
    expect(await turnsOf()).toEqual(stored)
  })

  it('asks who of those who speak is the user, and takes the answer', async () => {
    const chat =
      '13/03/2026, 19:05 - Al: I keep bees\n13/03/2026, 19:06 - Bo: Oh\n13/03/2026, 19:07 - Al: Two hives'
    const { body } = await answer<Preview>('import/preview?name=chat.txt', chat)
    expect(body).toMatchObject({
      format: 'whatsapp',
      holds: null,
      question: {
        asks: 'speaker',
        choices: [
          { name: 'Al', turns: 2 },
          { name: 'Bo', turns: 1 },
        ],
      },
    })
    const refused = await answer<Told>('import?name=chat.txt', chat)
    expect(refused.status).toBe(422)
    expect(refused.body.fields?.map(({ field }) => field)).toEqual(['query.speaker'])
    expect(await turnsOf()).toEqual([])
    expect((await answer<Preview>('import/preview?speaker=Bo', chat)).body.holds?.userNames).toEqual(['Bo'])
    expect((await answer('import?speaker=Bo', chat)).status).toBe(200)
    const turns = await server.keepsake.scope({ user: 'ana' }).turns()
    expect(turns.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant'])
  })

  it.each([
    [
      'mem0',
      JSON.stringify(
        ['eve', 'bob'].map((user_id) => ({ id: `m-${user_id}`, memory: `It is ${user_id}'s.`, user_id })),
      ),
    ],
    [
      'jsonl',
      ['eve', 'bob']
        .map((user) => JSON.stringify({ user, role: 'user', text: `It is ${user}'s.` }))
        .join('\n'),
    ],
  ])('lets several people of a file of %s not become one', async (format, file) => {
    const { body } = await answer<Preview>('import/preview', file)
    expect(body).toMatchObject({
      format,
      question: { asks: 'of', choices: [{ name: 'eve' }, { name: 'bob' }] },
    })
    expect((await answer('import', file)).status).toBe(422)
    expect((await answer('import?of=bob', file)).status).toBe(200)
    const notes = await server.keepsake.scope({ user: 'ana' }).memories({ forms: ['note'] })
    expect([...notes.map(({ text }) => text), ...(await turnsOf())]).toEqual(["It is bob's."])
  })

  it('is refused by file and line before anything is stored', async () => {
    const lines = [
      '{"role":"user","text":"I keep bees."}',
      '{"role":"user","text":"Since ","at":"2026-02-31"}',
    ]
    for (const path of ['import/preview', 'import']) {
      const { status, body } = await answer<Told>(`${path}?name=bees.jsonl`, lines.join('\n'))
      expect([status, body.detail]).toEqual([
        422,
        expect.stringMatching(/^bees\.jsonl:2: "at" is impossible/),
      ])
    }
    expect(await turnsOf()).toEqual([])
    for (const [file, problem] of [
      ['PK\u0003\u0004x', /zip archive/],
      ['just words', /is not recognised/],
      ['[{"role":"user","content":"Hi"},', /:1: this is not JSON/],
    ] as const) {
      const { body } = await answer<Told & Preview>('import/preview', file)
      expect(body.question?.sentence ?? body.detail).toMatch(problem)
    }
    expect((await send('import', '')).status).toBe(400)
  })

  it('that is our own export is recognised, and read back elsewhere', async () => {
    await server.keepsake.scope({ user: 'bo' }).remember({ role: 'user', text: 'I keep bees.' })
    const lines = await Array.fromAsync(server.keepsake.scope({ user: 'bo' }).export())
    const { body } = await answer<Preview>('import/preview', lines.join('\n'))
    expect(body).toMatchObject({ format: 'keepsake', holds: { people: ['bo'], turns: 1 } })
    const refused = await answer<Told>('import', lines.join('\n'))
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('/v1/import')])
  })
})

const LONG = Array.from({ length: 300 }, (_, index) =>
  JSON.stringify({
    role: index % 2 === 0 ? 'user' : 'assistant',
    text: `I planted tree ${index} in the garden.`,
  }),
).join('\n')

describe('an import that takes long', () => {
  it('says how far it is', async () => {
    const response = await send('import', LONG, { Accept: 'text/event-stream' })
    const events = [...(await response.text()).matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(
      ([, event = '', data = '']) => ({ event, data: JSON.parse(data) as Record<string, unknown> }),
    )
    expect(events[0]).toMatchObject({ event: 'preview', data: { format: 'jsonl' } })
    const steps = events
      .filter(({ event }) => event === 'progress')
      .map(({ data }) => data['recorded'] as number)
    expect(steps.length).toBeGreaterThan(2)
    expect(steps).toEqual(steps.toSorted((one, other) => one - other))
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { turns: 300, added: 300 } })
  })

  it('is broken off by going away, and goes on when the file is sent again', async () => {
    const response = await send('import', LONG, { Accept: 'text/event-stream' })
    const reader = response.body?.getReader()
    let heard = ''
    while (!heard.includes('event: progress')) {
      const piece = await reader?.read()
      heard += new TextDecoder().decode(piece?.value)
    }
    await reader?.cancel()
    await expect.poll(() => server.logged.map(({ event }) => event)).toContain('import-failed')
    const stored = (await turnsOf()).length
    expect(stored).toBeGreaterThan(0)
    expect(stored).toBeLessThan(300)
    const again = await answer('import', LONG)
    expect(again.body).toMatchObject({ turns: 300, added: 300 - stored, repeated: stored })
    expect(new Set(await turnsOf()).size).toBe(300)
  })

  it('holds nobody up while the file is gone through', async () => {
    const large = Array.from({ length: 5_000 }, (_, index) =>
      JSON.stringify({ role: 'user', text: `${'A long walk by the river. '.repeat(10)}${index}` }),
    ).join('\n')
    expect(large.length).toBeGreaterThan(1_000_000)
    const reader = await server.keyFor({ actions: ['read'] })
    const going = { on: true }
    let answered = 0
    const preview = answer<Preview>('import/preview', large).finally(() => {
      going.on = false
    })
    while (going.on) {
      const { status } = await server.app.request('/v1/scopes/ana/turns', { headers: reader })
      expect(status).toBe(200)
      answered += 1
      // A request over HTTP arrives on a later turn of the event loop; one made in the process would never leave it.
      await nextTurn()
    }
    expect((await preview).body.holds?.turns).toBe(5_000)
    // Hundreds, where the file is read apart; gone through on the loop itself, it would let a handful be answered.
    expect(answered).toBeGreaterThan(40)
  })

  it('is one of few at a time', async () => {
    const stalled = () => {
      let end = (): void => undefined
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('User: I keep bees.\n'))
          end = () => controller.close()
        },
      })
      return { stream, end: () => end() }
    }
    const both = [stalled(), stalled()]
    const going = both.map(async ({ stream }) =>
      server.app.request('/v1/scopes/ana/import', {
        method: 'POST',
        headers,
        body: stream,
        duplex: 'half',
      } as RequestInit),
    )
    await pause(50)
    const third = await send('import', 'User: I keep bees.\n')
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '5'])
    for (const { end } of both) end()
    for (const response of await Promise.all(going)) expect(response.status).toBe(200)
    expect((await send('import', 'User: I keep bees.\n')).status).toBe(200)
  })
})
