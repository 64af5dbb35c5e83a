import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Memory, MetadataFilter, ScopedMemory, TurnInput } from 'keepsake'
import { openForTest } from './open-for-test.ts'
import { requireSound } from './require-sound.ts'
import { answering, fact, segmentAnswer, shown } from './script-model.ts'
import { filesHolding } from './search-bytes.ts'
import { temporaryFile } from './temporary-file.ts'

const TRAVEL: MetadataFilter = { path: 'topic', is: 'travel' }
const at = (minute: number): number => Date.UTC(2024, 0, 1, 10, minute)

/** A person with two tagged statements and a plain one, told in sessions of their own. */
async function tell(path = ':memory:') {
  const keepsake = await openForTest({ path })
  const ana = keepsake.scope({ user: 'ana' })
  const turns: readonly TurnInput[] = [
    { role: 'user', text: 'I live in Porto.', id: 't1', at: at(0), metadata: { topic: 'travel', stars: 4 } },
    { role: 'user', text: 'I work as a baker.', id: 't2', at: at(1), metadata: { topic: 'work' } },
    { role: 'user', text: 'I have a dog called Rex.', id: 't3', at: at(2) },
  ]
  const told = []
  for (const turn of turns) told.push(await ana.remember(turn, { session: turn.id ?? '' }))
  return { keepsake, ana, told }
}

async function settle(ana: ScopedMemory): Promise<void> {
  for (const { id } of await ana.sessions()) await ana.endSession(id)
  await ana.drain()
}

async function factWith(scope: ScopedMemory, word: string): Promise<Memory> {
  const found = (await scope.memories({ forms: ['fact'] })).find((memory) => memory.text.includes(word))
  if (found === undefined) throw new Error(`no fact with "${word}"`)
  return found
}

const texts = (memories: readonly Memory[]): string[] => memories.map(({ text }) => text)

describe('metadata of turns', () => {
  it('is given back with turns, with what is drawn from them, and with their evidence', async () => {
    const { ana } = await tell()
    await settle(ana)
    expect((await ana.turns()).map(({ metadata }) => metadata)).toEqual([
      { topic: 'travel', stars: 4 },
      { topic: 'work' },
      null,
    ])
    expect((await factWith(ana, 'Porto')).metadata).toEqual({ topic: 'travel', stars: 4 })
    expect((await factWith(ana, 'Rex')).metadata).toBeNull()
    const utterances = await ana.memories({ forms: ['utterance'] })
    expect(utterances.map(({ metadata }) => metadata?.['topic'])).toEqual(['travel', 'work', undefined])
    const summaries = await ana.memories({ forms: ['summary', 'story'] })
    expect(summaries.map(({ metadata }) => metadata)).toEqual(summaries.map(() => null))
    const { memories } = await ana.recall('Where do I live?', { forms: ['utterance'] })
    expect(memories[0]?.evidence).toMatchObject([{ turn: 't1', metadata: { topic: 'travel', stars: 4 } }])
    await requireSound(ana)
  })

  it('is there before anything was drawn, and goes with the words of a turn that was removed', async () => {
    const { ana } = await tell()
    const [first] = (await ana.recall('Where do I live?', { where: TRAVEL })).memories
    expect(first).toMatchObject({ pending: true, memory: { metadata: { topic: 'travel', stars: 4 } } })
    await settle(ana)
    await ana.forget((await factWith(ana, 'Porto')).id)
    const { memories } = await ana.recall('Where do I live? Porto', { limit: 50 })
    expect(JSON.stringify(memories)).not.toContain('travel')
  })

  it('adds to a memory that is told again, and takes the place of another’s when the memory says something else', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    const say = async (text: string, minute: number, metadata: TurnInput['metadata']): Promise<void> => {
      const given = metadata === undefined ? {} : { metadata }
      await ana.remember({ role: 'user', text, at: at(minute), ...given }, { session: `s${minute}` })
      await settle(ana)
    }
    await say('I live in Porto.', 0, { topic: 'home', source: 'chat' })
    await say('I live in Porto.', 10, { source: 'call', call: 7 })
    expect((await factWith(ana, 'Porto')).metadata).toEqual({ topic: 'home', source: 'call', call: 7 })
    await say('I moved to Braga.', 20, { topic: 'move' })
    expect((await factWith(ana, 'Braga')).metadata).toEqual({ topic: 'move' })
    await say('I moved to Lyon.', 30, undefined)
    expect((await factWith(ana, 'Lyon')).metadata).toBeNull()
    await requireSound(ana)
  })

  it('is shown to no model', async () => {
    const model = answering({
      segment: segmentAnswer([fact('The user lives in Porto.', 1, 'I live in Porto')]),
      compress_portrait: { user: '', relationship: '', events: '' },
      text: 'In Porto.',
    })
    const keepsake = await openForTest({ model, exchangesPerExtraction: 1 })
    const ana = keepsake.scope({ user: 'ana' })
    const metadata = { ZANZIBAR: ['zanzibar'] }
    await ana.remember({ role: 'user', text: 'I live in Porto.', metadata }, { session: 's' })
    await settle(ana)
    await ana.note('Prefers the window seat', { metadata })
    const reply = await ana.reply({ role: 'user', text: 'Where do I live?', metadata })
    await reply.remembered
    expect(model.requests.length).toBeGreaterThan(1)
    expect(model.requests.map(shown).join('\n')).not.toMatch(/zanzibar/i)
    expect((await factWith(ana, 'Porto')).metadata).toEqual(metadata)
  })
})

describe('a filter', () => {
  it('narrows what is recalled, waiting or drawn, and what is listed', async () => {
    const { ana } = await tell()
    const found = async (where: MetadataFilter): Promise<string[]> => {
      const { memories } = await ana.recall('Porto baker dog Rex', { where, limit: 20 })
      return [...new Set(memories.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))].sort()
    }
    const untold: MetadataFilter = { path: 'topic', exists: false }
    for (const state of ['waiting', 'drawn']) {
      expect([state, await found(TRAVEL)]).toEqual([state, ['t1']])
      expect([state, await found({ not: TRAVEL })]).toEqual([state, ['t2', 't3']])
      expect([state, await found(untold)]).toEqual([state, ['t3']])
      await settle(ana)
    }
    const facts = { forms: ['fact'] } as const
    expect(texts(await ana.memories({ ...facts, where: TRAVEL }))).toEqual([
      (await factWith(ana, 'Porto')).text,
    ])
    const [one] = await ana.memories({ ...facts, limit: 1 })
    expect(
      await ana.memories({ ...facts, limit: 1, after: one?.id ?? '', where: { not: TRAVEL } }),
    ).toMatchObject([{ id: (await factWith(ana, 'baker')).id }])
    expect((await ana.turns({ where: { path: 'stars', atLeast: 4 } })).map(({ id }) => id)).toEqual(['t1'])
    expect((await ana.turns({ session: 't2' })).map(({ id }) => id)).toEqual(['t2'])
    expect((await ana.turns({ after: 1, limit: 1 })).map(({ id }) => id)).toEqual(['t2'])
  })

  it('narrows turns to those of a scope itself, where it sees others', async () => {
    const { keepsake, ana } = await tell()
    const tutor = keepsake.scope({ user: 'ana', agent: 'tutor' })
    await tutor.remember({ role: 'user', text: 'Verbs, please.', id: 't4' }, { session: 't1' })
    const ids = async (scope: ScopedMemory, exactScope: boolean): Promise<string[]> =>
      (await scope.turns({ session: 't1', exactScope })).map(({ id }) => id)
    expect([await ids(ana, false), await ids(ana, true)]).toEqual([['t1', 't4'], ['t1']])
    expect([await ids(tutor, false), await ids(tutor, true)]).toEqual([['t4'], ['t4']])
    const bo = keepsake.scope({ user: 'bo' })
    await keepsake.scope({ user: 'bo', app: 'x' }).remember({ role: 'user', text: 'Hi.' }, { session: 't1' })
    expect(await ids(bo, true)).toEqual([])
  })

  it('is refused where it cannot be read, by name', async () => {
    const { ana } = await tell()
    const where = { any: [TRAVEL, { path: 'stars', like: 4 }] } as unknown as MetadataFilter
    await expect(ana.recall('Porto', { where })).rejects.toThrow(/where\.any\[1\]\.like is no comparison/)
    await expect(ana.memories({ where })).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(ana.turns({ limit: -1 })).rejects.toThrow(/limit must be a whole number/)
  })
})

describe('metadata of a memory', () => {
  it('is set by an edit, taken away by null, and undone; utterances take it too', async () => {
    const { ana } = await tell()
    await settle(ana)
    const { id } = await factWith(ana, 'Porto')
    const set = await ana.edit(id, { metadata: { reviewed: true } })
    expect((await factWith(ana, 'Porto')).metadata).toEqual({ reviewed: true })
    expect(set.payload).toEqual({
      before: { metadata: { topic: 'travel', stars: 4 } },
      after: { metadata: { reviewed: true } },
    })
    await ana.edit(id, { metadata: null })
    expect(await factWith(ana, 'Porto')).toMatchObject({ metadata: null, past: [] })
    const [last] = (await ana.admin.history(id)).slice(-1)
    await ana.undo(last?.id ?? '')
    expect((await factWith(ana, 'Porto')).metadata).toEqual({ reviewed: true })
    const [utterance] = await ana.memories({ forms: ['utterance'] })
    await ana.edit(utterance?.id ?? '', { metadata: { kept: 1 } })
    await expect(ana.edit(utterance?.id ?? '', { text: 'x', metadata: {} })).rejects.toMatchObject({
      code: 'not-possible',
    })
    await ana.forget(id)
    await ana.edit(id, { metadata: { why: 'wrong' } })
    await expect(ana.edit(id, { value: 'Porto' })).rejects.toMatchObject({ code: 'not-possible' })
    expect(await ana.memories({ statuses: ['deleted'], where: { path: 'why', is: 'wrong' } })).toMatchObject([
      { id },
    ])
    expect(
      (await ana.memories({ where: { path: 'kept', is: 1 }, statuses: ['live', 'deleted'] })).map(
        (one) => one.id,
      ),
    ).toEqual([utterance?.id])
    await requireSound(ana)
  })

  it('goes with the person to another file', async () => {
    const { ana, keepsake } = await tell()
    await settle(ana)
    await ana.edit((await factWith(ana, 'baker')).id, { metadata: { reviewed: [1, { by: 'Bo' }] } })
    const other = await openForTest()
    await other.import(ana.export())
    await other.drain()
    const moved = other.scope({ user: 'ana' })
    expect(await moved.turns()).toEqual(await ana.turns())
    expect((await moved.memories()).map(({ metadata }) => metadata)).toEqual(
      (await ana.memories()).map(({ metadata }) => metadata),
    )
    await keepsake.close()
  })

  it.each([
    ['a turn', (ana: ScopedMemory) => ana.erase({ turns: ['t1'] })],
    ['a session', (ana: ScopedMemory) => ana.erase({ sessions: ['t1'] })],
    ['the person', (ana: ScopedMemory) => ana.erase({ everything: true })],
  ])('leaves no byte when %s is erased', async (_, erase) => {
    const path = temporaryFile()
    const { keepsake, ana } = await tell(path)
    const metadata = { quixotic: 'quixotic' }
    await ana.remember({ role: 'user', text: 'I moved to Lyon.', id: 't4', metadata }, { session: 't1' })
    await settle(ana)
    await ana.edit((await factWith(ana, 'Lyon')).id, { metadata: { quixotic: 'again' } })
    expect(filesHolding(dirname(path), ['quixotic'])).not.toEqual([])
    await ana.erase({ turns: ['t4'] })
    await erase(ana)
    expect(filesHolding(dirname(path), ['quixotic', 'travel'])).toEqual([])
    await keepsake.close()
    expect(filesHolding(dirname(path), ['quixotic', 'travel'])).toEqual([])
  })
})

describe('what metadata may hold', () => {
  it('is plain JSON: the place of what is not is named, and nothing of the call is stored', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    const deep = JSON.parse('{"a":'.repeat(40) + '1' + '}'.repeat(40)) as object
    const refused: readonly [unknown, RegExp][] = [
      [{ born: new Date() }, /turn\.metadata\.born is a Date.*toISOString/],
      [{ list: [1, { n: Number.NaN }] }, /turn\.metadata\.list\[1\]\.n is NaN/],
      [{ big: 1n }, /is a bigint/],
      [{ call: () => 1 }, /is a function/],
      [new Map(), /turn\.metadata must be an object.*a Map/],
      [[1], /must be an object.*a list/],
      [cycle, /deeper than 32 levels, or contains itself/],
      [deep, /deeper than 32 levels/],
      [{ long: 'x'.repeat(1_000_001) }, /at most 1000000 are taken/],
      [{ ['k'.repeat(513)]: 1 }, /513 characters long/],
      [JSON.parse('{"__proto__": {"polluted": 1}}'), /__proto__/],
    ]
    for (const [metadata, problem] of refused) {
      const turn = { role: 'user', text: 'Hi.', metadata } as TurnInput
      await expect(ana.remember(turn)).rejects.toThrow(problem)
    }
    expect(await keepsake.stats()).toMatchObject({ turns: 0 })
    const odd = { toString: 'own', zero: -0, none: undefined, lone: 'a\ud800', ['lone\udc00']: [null] }
    await ana.remember({
      role: 'user',
      text: 'Hi.',
      metadata: odd as unknown as NonNullable<TurnInput['metadata']>,
    })
    const [turn] = await ana.turns()
    expect(turn?.metadata).toEqual({ toString: 'own', zero: 0, lone: 'a\ufffd', 'lone\ufffd': [null] })
    expect(Object.is(turn?.metadata?.['zero'], 0)).toBe(true)
  })

  it('has its secrets masked, in values, in names, and by the names of fields', async () => {
    const path = temporaryFile()
    const keepsake = await openForTest({ path })
    const ana = keepsake.scope({ user: 'ana' })
    const card = '4111 1111 1111 1111'
    const { maskedSecrets: masked } = await ana.remember({
      role: 'user',
      text: 'Hi.',
      metadata: { paid: { with: [card] }, password: 'correct-horse-9', [`card ${card}`]: 1 },
    })
    expect(masked).toEqual([
      { kind: 'card number', count: 2 },
      { kind: 'password', count: 1 },
    ])
    await ana.note('Pays by card', { metadata: { card } })
    const [note] = await ana.memories({ forms: ['note'] })
    await ana.edit(note?.id ?? '', { metadata: { other: { card } } })
    expect((await ana.turns())[0]?.metadata).toEqual({
      paid: { with: ['[masked: card number]'] },
      password: '[masked: password]',
      'card [masked: card number]': 1,
    })
    expect(filesHolding(dirname(path), [card, 'correct-horse-9'])).toEqual([])
    await ana.note(`Pays by card ${card}`, { name: 'exact', metadata: { card }, maskMetadata: false })
    expect(await ana.memories({ names: ['exact'] })).toMatchObject([
      { text: 'Pays by card [masked: card number]', metadata: { card } },
    ])
    const open = await openForTest({ maskSecrets: false })
    await open.scope({ user: 'ana' }).note('Pays by card', { metadata: { card } })
    expect(await open.scope({ user: 'ana' }).memories()).toMatchObject([{ metadata: { card } }])
  })
})

describe('the log since turns were told', () => {
  it('says what came of them', async () => {
    const { ana, told } = await tell()
    await settle(ana)
    expect(told.map(({ lastOperation: logged }) => logged)).toEqual([0, 0, 0])
    const again = await ana.remember(
      { role: 'user', text: 'I moved to Lyon.', at: at(60) },
      { session: 't4' },
    )
    const before = await ana.log()
    expect(again.lastOperation).toBe(before.at(-1)?.sequence)
    await settle(ana)
    const since = await ana.log({ after: again.lastOperation })
    expect(since.map(({ kind }) => kind)).toContain('modify')
    expect(since.map(({ sequence }) => sequence)).toEqual(
      since.map((_, index) => again.lastOperation + index + 1),
    )
    expect(await ana.log({ after: again.lastOperation, limit: 1 })).toEqual(since.slice(0, 1))
    expect(await ana.log()).toEqual([...before, ...since])
  })
})
