import { mmm, moom } from '@keepsake/papers'
import { describe, expect, it } from 'vitest'
import { ModelError, openMemory, type EventMap, type OpenOptions, type ScopedMemory } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import type { LanguageRequest, Update, Updater, UpdateRequest, ScriptedModel } from 'keepsake/model'
import { updaterAsking } from '@keepsake/papers'
import { openForTest } from './open-for-test.ts'
import { answering, shown } from './script-model.ts'

const START = Date.parse('2024-03-04T18:00:00Z')

const code = (rest: object): object => ({ index: null, content: null, why: null, ...rest })

/** The number that a request gives the memory of these words, or `null`. */
function numberOf(request: LanguageRequest, words: string): number | null {
  const line = shown(request).match(new RegExp(`^\\((\\d+)\\) .*${words}.*$`, 'm'))
  return line === null ? null : Number(line[1])
}

const listed = (request: LanguageRequest | undefined): string[] =>
  request === undefined
    ? []
    : [...shown(request).matchAll(/^\(\d+\) .*?: "(.*)"$/gm)].map((one) => one[1] ?? '')

const lastShown = ({ requests }: ScriptedModel): string => {
  const last = requests.at(-1)
  return last === undefined ? '' : shown(last)
}

/** What MMM's model answers to a round: an addition of the user's words, or what they call for. */
function operations(request: LanguageRequest): object {
  const said = [...shown(request).matchAll(/^\[(\d+)\].*? user: "(.*)"$/gm)].at(-1)
  const [turn, text = ''] = [Number(said?.[1]), said?.[2]]
  const sold = text.match(/^I sold the (\w+)\.$/)
  const moved = text.match(/^I moved to (\w+)\.$/)
  const operation =
    sold !== null
      ? code({
          type: 'delete',
          index: numberOf(request, sold[1] ?? ''),
          why: 'no-longer-so',
          turn,
          quote: text,
        })
      : moved !== null && numberOf(request, 'lives in') !== null
        ? code({
            type: 'modify',
            index: numberOf(request, 'lives in'),
            content: `The user lives in ${moved[1]}.`,
            turn,
            quote: text,
          })
        : code({ type: 'add', content: text.replace(/^I live/, 'The user lives'), turn, quote: text })
  return { operations: [operation] }
}

async function say(ana: ScopedMemory, ...texts: string[]): Promise<void> {
  for (const [n, text] of texts.entries()) {
    const at = START + (await ana.turns()).length * 60_000 + n
    await ana.remember([{ role: 'user', text, at }], { session: 's' })
    await ana.endSession('s')
    await ana.drain()
  }
}

const textsOf = (memories: readonly { readonly text: string }[]): string[] =>
  memories.map(({ text }) => text).sort()

async function open(options: Partial<OpenOptions> = {}) {
  const model = answering({ operations, text: 'I see.' })
  const keepsake = await openForTest({ preset: mmm, model, modelOptions: { retries: 0 }, ...options })
  const leftOut: EventMap['input-left-out'][0][] = []
  keepsake.on('input-left-out', (told) => leftOut.push(told))
  return { keepsake, model, leftOut, ana: keepsake.scope({ user: 'ana' }) }
}

describe('what MMM deletes', () => {
  it('is gone from the list and from recall, though it is only no longer so; its history is still known', async () => {
    const { ana, model } = await open()
    await say(ana, 'I have a blue van.', 'I have a dog.', 'I sold the van.', 'I have a cat.')
    expect(textsOf(await ana.memories())).toEqual(['I have a cat.', 'I have a dog.'])
    expect(listed(model.requests.at(-1))).toEqual(['I have a dog.'])
    const { memories, context } = await ana.recall('Do I have a blue van?')
    expect(textsOf(memories.map(({ memory }) => memory)).join()).not.toContain('van')
    expect(context.text).not.toContain('van')
    const [gone] = await ana.memories({ statuses: ['deleted'] })
    expect(gone).toMatchObject({ text: 'I have a blue van.', reason: 'no longer so' })
    expect((await ana.admin.history(gone?.id ?? '')).map(({ kind }) => kind)).toEqual(['add', 'delete'])
  })
})

describe('what MMM modifies', () => {
  it('is shown as it now stands, to the updater and to the reply; asOf and the history know what it was', async () => {
    const { ana, model } = await open()
    await say(ana, 'I live in Lyon.', 'I moved to Ghent.', 'I have a cat.')
    expect(listed(model.requests.at(-1))).toEqual(['The user lives in Ghent.'])
    const { context, memories } = await ana.recall('Where do I live?')
    expect(context.text).toContain('The user lives in Ghent.')
    expect(context.text).not.toContain('Lyon')
    const [home] = memories.filter(({ memory }) => memory.text.includes('Ghent'))
    expect((await ana.admin.history(home?.memory.id ?? '')).map(({ kind }) => kind)).toEqual([
      'add',
      'modify',
    ])
    const then = await ana.recall('Where do I live?', { asOf: START + 30_000 })
    expect(then.context.text).toContain('Lyon')
    await (
      await ana.reply({ role: 'user', text: 'Where do I live?' })
    ).text
    expect(lastShown(model).split('</memories>')[0]).not.toContain('Lyon')
  })
})

describe('the list that MMM shows', () => {
  const things = (count: number): string[] =>
    Array.from(
      { length: count },
      (_, n) => `I keep thing number ${n} in ${['the attic', 'a box', 'my car'][n % 3]}.`,
    )

  it('is whole while it fits, whatever is talked of', async () => {
    const { ana, model, leftOut } = await open()
    await say(ana, ...things(25), 'Xylophones bore me.')
    expect(listed(model.requests.at(-1))).toEqual(things(25))
    expect(lastShown(model)).toContain('This is the whole list.')
    expect(leftOut).toEqual([])
  })

  it('is of the nearest, filled up, where it does not fit, and says how many were left out', async () => {
    const { ana, model, leftOut } = await open({ modelOptions: { retries: 0, windowTokens: 2_000 } })
    await say(ana, 'I own a red kayak.', ...things(40), 'My kayak leaks.')
    const last = model.requests.at(-1)
    const list = listed(last)
    expect(list).toContain('I own a red kayak.')
    expect(list.length).toBeGreaterThan(15)
    expect(list.length).toBeLessThan(41)
    const count = 41 - list.length
    expect(lastShown(model)).toContain(`${count} more memories, further from these words`)
    expect(leftOut.at(-1)).toMatchObject({ what: 'memories', count, of: 41, cause: 'window' })
    const order = [...(await ana.memories())].sort((one, other) => one.learnedAt - other.learnedAt)
    expect(list).toEqual(order.map(({ text }) => text).filter((text) => list.includes(text)))
  })

  it('is what a reply rests on: all of it while it fits, else the nearest and how many more there are', async () => {
    const { ana, model } = await open()
    await say(ana, ...things(25))
    const reply = await ana.reply({ role: 'user', text: 'Xylophones?' })
    await reply.text
    for (const thing of things(25)) expect(lastShown(model)).toContain(thing)
    expect(reply.leftOut).toEqual([])
    const small = await open({ modelOptions: { retries: 0, windowTokens: 2_000 } })
    await say(small.ana, 'I own a red kayak.', ...things(60))
    const cut = await small.ana.reply({ role: 'user', text: 'What colour is my kayak?' })
    await cut.text
    const words = lastShown(small.model)
    expect(words).toContain('I own a red kayak.')
    const [left] = cut.leftOut
    expect(left).toMatchObject({ what: 'memories', of: 61, cause: 'window' })
    expect(words).toContain(`(${left?.count} more are not shown)`)
  })

  it.each(['Nice kayak!', '好漂亮的皮划艇！'])('is whole where the agent spoke last: “%s”', async (text) => {
    const { ana, model } = await open()
    await say(ana, 'I own a red kayak.', 'I have a dog.')
    await ana.remember([{ role: 'assistant', text, at: START + 3_600_000 }], { session: 's' })
    for (const asked of ['What colour is my kayak?', 'Do I like hiking?']) {
      const reply = await ana.reply({ role: 'user', text: asked }, { session: 's' })
      await reply.text
      expect(reply.leftOut).toEqual([])
      expect(lastShown(model)).not.toContain('more are not shown')
      expect(lastShown(model)).not.toContain('The search is not sure')
    }
  })
})

describe('an updater', () => {
  /** Adds what is said, and drops what is said to be sold. */
  function byHand(): Updater & { readonly asked: UpdateRequest[] } {
    const asked: UpdateRequest[] = []
    return {
      id: 'by-hand/1',
      asked,
      update: (request) => {
        asked.push(request)
        const sold = request.utterance.match(/^I sold the (\w+)\.$/)?.[1]
        if (sold === undefined) return Promise.resolve([{ type: 'add', content: request.utterance }])
        const index = request.memories.findIndex(({ text }) => text.includes(sold)) + 1
        return Promise.resolve([{ type: 'delete', index }])
      },
    }
  }

  it('keeps the list in the place of a language model, by the same rules', async () => {
    const updater = byHand()
    const keepsake = await openForTest({ preset: mmm, updater })
    const ana = keepsake.scope({ user: 'ana' })
    await say(ana, 'I have a blue van.', 'I have a dog.', 'I sold the van.', 'I have a cat.')
    const memories = await ana.memories()
    expect(textsOf(memories)).toEqual(['I have a cat.', 'I have a dog.'])
    expect(memories[0]?.origin.step).toBe('by-hand/1')
    expect(updater.asked.map(({ memories: list }) => list.length)).toEqual([0, 1, 2, 1])
    expect((await keepsake.stats()).notice).toBeNull()
  })

  it('reads one round at a time, and only what users say', async () => {
    const updater = byHand()
    const keepsake = await openForTest({ preset: mmm, updater })
    const ana = keepsake.scope({ user: 'ana' })
    const turns = ['one', 'two', 'three'].flatMap((text, n) => [
      { role: 'user', text, at: START + n * 2_000 } as const,
      { role: 'assistant', text: `You said ${text}.`, at: START + n * 2_000 + 1_000 } as const,
    ])
    await ana.remember(turns, { session: 's' })
    await ana.endSession('s')
    await ana.drain()
    expect(updater.asked.map(({ utterance }) => utterance)).toEqual(['one', 'two', 'three'])
  })

  it('has its proposals validated: numbers of nothing are turned away, and told', async () => {
    const answers: readonly (readonly Update[])[] = [
      [{ type: 'add', content: 'The user has a dog.' }],
      [
        { type: 'modify', index: 7, content: 'The user has a bear.' },
        { type: 'delete', index: 0 },
      ],
    ]
    let call = 0
    const updater: Updater = { id: 'wild/1', update: () => Promise.resolve(answers[call++] ?? []) }
    const keepsake = await openForTest({ preset: mmm, updater })
    const rejected: string[] = []
    keepsake.on('operation-rejected', ({ kind, prompt }) => rejected.push(`${kind} by ${prompt}`))
    const ana = keepsake.scope({ user: 'ana' })
    await say(ana, 'I have a dog.', 'Grr.')
    expect(rejected).toEqual(['modify by wild/1', 'delete by wild/1'])
    expect((await ana.memories()).map(({ status, text }) => [status, text])).toEqual([
      ['live', 'The user has a dog.'],
    ])
  })

  it('that answers with no operations has its round parked, and the rest goes on', async () => {
    const updater = {
      id: 'broken/1',
      update: ({ utterance }: UpdateRequest) =>
        Promise.resolve([
          utterance.includes('cat') ? { type: 'rename', index: 1 } : { type: 'add', content: 'A dog.' },
        ]),
    } as unknown as Updater
    const keepsake = await openForTest({ preset: mmm, updater })
    const ana = keepsake.scope({ user: 'ana' })
    await say(ana, 'I have a cat.', 'I have a dog.')
    expect(await keepsake.jobs()).toMatchObject([
      { state: 'parked', reason: expect.stringContaining('The updater broken/1 answered') },
    ])
    expect(textsOf(await ana.memories())).toEqual(['A dog.'])
  })

  it('has what it writes pass the gate for text', async () => {
    const updater: Updater = {
      id: 'leaky/1',
      update: () => Promise.resolve([{ type: 'add', content: 'The password is hunter2x9!' }]),
    }
    const keepsake = await openForTest({ preset: mmm, updater })
    const ana = keepsake.scope({ user: 'ana' })
    await say(ana, 'Hello.')
    expect(textsOf(await ana.memories()).join()).not.toContain('hunter2x9')
  })

  it('can be another language model, asked the same question, beside the one that replies', async () => {
    const tuned = answering({ operations })
    const model = scriptedModel(['You have a dog.'])
    const keepsake = await openForTest({ preset: mmm, model, updater: updaterAsking(tuned) })
    const ana = keepsake.scope({ user: 'ana' })
    await say(ana, 'I have a blue van.', 'I have a dog.', 'I sold the van.')
    expect(textsOf(await ana.memories())).toEqual(['I have a dog.'])
    expect(tuned.requests).toHaveLength(3)
    await (
      await ana.reply({ role: 'user', text: 'What do I have?' })
    ).text
    expect(model.requests).toHaveLength(1)
  })

  it('that fails is tried again later', async () => {
    const updater: Updater = {
      id: 'down/1',
      update: () => Promise.reject(new ModelError('down', { isRetryable: true })),
    }
    const keepsake = await openForTest({ preset: mmm, updater })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'I have a dog.' }, { session: 's' })
    await ana.endSession('s')
    await keepsake.drain()
    expect(await keepsake.jobs()).not.toEqual([])
  })

  it('is refused by every other preset, in a sentence', async () => {
    await expect(openMemory({ path: ':memory:', preset: moom, updater: byHand() })).rejects.toThrow(
      'Preset moom cannot use an updater',
    )
    await expect(openMemory({ path: ':memory:', updater: byHand() })).rejects.toThrow(
      'Preset keepsake cannot use an updater',
    )
  })
})

it('mmm without a model or an updater says that it is not MMM', async () => {
  const keepsake = await openForTest({ preset: mmm })
  expect((await keepsake.stats()).notice).toMatch(/^This is not MMM/)
  expect((await (await open()).keepsake.stats()).notice).toBeNull()
  expect((await (await openForTest({ preset: moom })).stats()).notice).toBeNull()
})
