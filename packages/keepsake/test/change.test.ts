import { describe, expect, it } from 'vitest'
import { MEMORY_FORMS, type Memory, type ScopedMemory } from 'keepsake'
import { projectLog } from 'keepsake/store'
import { openForTest } from './open-for-test.ts'

/** A person with facts, utterances and a summary, from plain statements. */
async function know(...texts: string[]) {
  const keepsake = await openForTest()
  const ana = keepsake.scope({ user: 'ana' })
  await ana.remember(
    texts.map((text, index) => ({
      role: 'user',
      text,
      id: `t${index}`,
      at: Date.UTC(2024, 0, 1, 10, index),
    })),
    { session: 'one' },
  )
  await ana.endSession()
  await keepsake.drain()
  return { keepsake, ana }
}

async function factWith(scope: ScopedMemory, word: string): Promise<Memory> {
  const found = (await scope.memories({ forms: ['fact'] })).find((memory) => memory.text.includes(word))
  if (found === undefined) throw new Error(`no fact with "${word}"`)
  return found
}

/** Every text that a recall hands out, in memories, evidence and context. */
async function handedOut(scope: ScopedMemory, question: string): Promise<string> {
  const { memories, context } = await scope.recall(question, { limit: 50, tokens: 10_000, reinforce: false })
  return JSON.stringify([memories, context.text])
}

describe('edit', () => {
  it('corrects a fact and keeps what it said before, with its time', async () => {
    const { ana } = await know('I live in Porto.')
    const fact = await factWith(ana, 'Porto')
    await ana.edit(fact.id, { text: 'The user lives in Braga.', value: 'Braga' })
    const edited = await factWith(ana, 'Braga')
    expect(edited.id).toBe(fact.id)
    expect(edited.past.map((version) => version.text)).toEqual([fact.text])
    expect((await ana.admin.history(fact.id)).map((operation) => operation.kind)).toEqual(['add', 'modify'])
    expect(await handedOut(ana, 'Where does the user live?')).toContain('Braga')
  })
})

describe('an edit that corrects a mistake in a name', () => {
  /** Corrects the fact with some words, as a mistake. @returns the texts of all facts */
  async function correct(said: readonly string[], words: string, text: string) {
    const { ana } = await know(...said)
    const fact = await factWith(ana, words)
    await ana.edit(fact.id, { text, at: fact.validFrom })
    return (await ana.memories({ forms: ['fact'] })).map((one) => one.text).sort()
  }

  it.each([
    [
      ['My boss is called Mark.', 'My boss Mark lives in Leeds.', 'My friend is called Mark.'],
      'boss is called',
      'The user’s boss is called Marc.',
      /boss Marc lives in Leeds.*friend is called Mark\./,
    ],
    [
      ['My sister is called Mia.', 'My sister Mia lives in Rome.'],
      'sister is called',
      'The user’s sister is called Mila.',
      /^The user's sister Mila lives in Rome\.\|[^|]*Mila\.$/,
    ],
    [['我的同事叫王伟。', '我老板叫王伟民。'], '同事叫王伟', '用户的同事叫王玮。', /王伟民/],
  ])('corrects it in the other facts of that person: %j', async (said, words, text, expected) =>
    expect((await correct(said, words, text.replace('’', "'"))).join('|')).toMatch(expected),
  )

  it('leaves places, which several facts may name', async () =>
    expect(
      await correct(['I live in Porto.', 'My mum lives in Porto.'], 'user lives', 'The user lives in Braga.'),
    ).toContain("The user's mum lives in Porto."))

  it('is undone with the edit', async () => {
    const { ana } = await know('My boss is called Mark.', 'My boss Mark lives in Leeds.')
    const fact = await factWith(ana, 'called')
    const { id } = await ana.edit(fact.id, { text: "The user's boss is called Marc.", at: fact.validFrom })
    await ana.undo(id)
    expect((await factWith(ana, 'Leeds')).text).toContain('Mark')
  })
})

describe('an edit of the words alone', () => {
  async function sheet(ana: ScopedMemory, key: string): Promise<readonly string[]> {
    const { subjects } = await ana.persona()
    const entry = subjects[0]?.entries.find((one) => one.key.id === key)
    return (entry?.values ?? []).filter(({ isPast }) => !isPast).map(({ value }) => value)
  }

  it.each([
    ['I live in Porto.', 'residence', 'The user lives in Braga.', ['Braga']],
    ['I live in Porto.', 'residence', 'Maya lives in Leeds now.', ['Leeds']],
    ['I live in Porto.', 'residence', 'Home is Porto, by the harbour.', ['Porto']],
    ['I work as a baker.', 'occupation', 'The user works as a pastry chef in Lyon.', ['pastry chef in Lyon']],
    ['My dog is called Brutus.', 'pets', "The user's dog is called Bruno.", ['dog Bruno']],
    ['我住在上海。', 'residence', '用户住在北京。', ['北京']],
    ['I live in Porto.', 'residence', 'Where they live is nobody’s business.', []],
  ])('corrects the sheet as well: “%s”, %s, “%s”', async (said, key, text, values) => {
    const { ana } = await know(said)
    const fact = (await ana.memories({ forms: ['fact'] })).find((memory) => memory.key === key)
    await ana.edit(fact?.id ?? '', { text })
    expect(await sheet(ana, key)).toEqual(values)
  })
})

describe('removing one fact of a turn', () => {
  const SAID = "I work as a baker in Porto, and I'm learning Welsh. My sister Ana is a nurse."

  it('takes the words that told it, and leaves the rest of what was said', async () => {
    const { ana } = await know(SAID, 'I have a parrot named Kiwi.')
    await ana.forget((await factWith(ana, 'Welsh')).id)
    for (const question of ['What am I learning?', 'Do I speak Welsh?', 'What is my job?'])
      expect(await handedOut(ana, question)).not.toMatch(/Welsh|learning/)
    expect(JSON.stringify(await ana.memories())).not.toContain('Welsh')
    const [utterance] = await ana.memories({ forms: ['utterance'] })
    expect(utterance?.text).toBe('I work as a baker in Porto … My sister Ana is a nurse.')
    expect(await handedOut(ana, 'What do I do for a living?')).toContain('baker in Porto')
  })

  it('is undone with the words', async () => {
    const { ana } = await know(SAID)
    const { id } = await factWith(ana, 'Welsh')
    await ana.forget(id)
    const deletion = (await ana.admin.history(id)).find(({ kind }) => kind === 'delete')
    await ana.undo(deletion?.id ?? '')
    expect((await ana.memories({ forms: ['utterance'] }))[0]?.text).toBe(SAID)
  })
})

it('the same sentence twice is one fact', async () => {
  const { ana } = await know('I live in Porto.', 'I love tea.', 'I live in Porto.', 'I love tea.')
  const values = (await ana.memories({ forms: ['fact'] })).map(({ value }) => value)
  expect(values).toHaveLength(2)
  expect(values).toEqual(expect.arrayContaining(['Porto', 'tea']))
})

describe('remove', () => {
  it('does not let a removed fact come back through the turn, the pair or the summary it came from', async () => {
    const { ana } = await know('I have a parrot named Kiwi.', 'I live in Porto.')
    const fact = await factWith(ana, 'Kiwi')
    expect(await handedOut(ana, 'Who is Kiwi the parrot?')).toContain('Kiwi')
    await ana.forget(fact.id)
    expect(await handedOut(ana, 'Who is Kiwi the parrot?')).not.toContain('Kiwi')
    expect(await handedOut(ana, 'Where do I live?')).toContain('Porto')
  })

  it('is undone with all that followed from it', async () => {
    const { ana } = await know('I have a parrot named Kiwi.', 'I live in Porto.')
    const before = await ana.memories({ forms: MEMORY_FORMS })
    const removal = await ana.forget((await factWith(ana, 'Kiwi')).id)
    // With the fact goes the turn it was drawn from.
    expect(before.map(({ form }) => form)).toEqual(['utterance', 'utterance', 'fact', 'fact'])
    const left = await ana.memories({ forms: MEMORY_FORMS })
    expect(left.map(({ form }) => form)).toEqual(['utterance', 'fact'])
    const undoing = await ana.undo(removal.id)
    expect(await ana.memories({ forms: MEMORY_FORMS })).toEqual(before)
    await ana.undo(undoing.id)
    expect(await handedOut(ana, 'Who is Kiwi the parrot?')).not.toContain('Kiwi')
  })
})

describe('undo', () => {
  it('takes back an edit', async () => {
    const { ana } = await know('I live in Porto.')
    const fact = await factWith(ana, 'Porto')
    const edit = await ana.edit(fact.id, { text: 'The user lives in Braga.' })
    await ana.undo(edit.id)
    expect((await factWith(ana, 'Porto')).past).toEqual([])
  })
})

describe('restore and pin', () => {
  it('brings back what was forgotten, and never forgets what is pinned', async () => {
    const { ana } = await know(
      'I live in Porto.',
      'I have a parrot named Kiwi.',
      'I like rain.',
      'I play chess.',
    )
    const [pinned] = await ana.memories({ forms: ['utterance'] })
    await ana.pin(pinned?.id ?? '')
    const result = await ana.runForgetting({ keep: 0 })
    expect(result.forgotten).toHaveLength(3)
    expect((await ana.memories({ forms: ['utterance'] })).map((memory) => memory.id)).toEqual([pinned?.id])
    const gone = result.forgotten[0]?.memory ?? ''
    expect((await ana.explain(gone)).memory.status).toBe('forgotten')
    await ana.restore(gone)
    expect((await ana.explain(gone)).memory.status).toBe('live')
  })
})

describe('the log', () => {
  it('makes the same memories again, whatever was done', async () => {
    const { keepsake, ana } = await know('I live in Porto.', 'I have a parrot named Kiwi.', 'I like rain.')
    const removal = await ana.forget((await factWith(ana, 'Kiwi')).id)
    await ana.edit((await factWith(ana, 'Porto')).id, { text: 'The user lives in Braga.' })
    await ana.undo(removal.id)
    await ana.recall('rain', { reinforce: true })
    await keepsake.drain()
    await ana.runForgetting({ keep: 0.3 })
    await ana.erase({ memories: [(await factWith(ana, 'Kiwi')).id] })
    const lines: string[] = []
    for await (const line of ana.export()) lines.push(line)
    const operations = lines.map((line) => JSON.parse(line)).filter((row) => row.row === 'operation')
    const projected = projectLog(operations)
    const statuses = ['live', 'quarantined', 'deleted', 'forgotten', 'erased'] as const
    const stored = await ana.memories({ statuses })
    expect(projected.size).toBe(stored.length)
    for (const memory of stored) {
      const text = memory.form === 'utterance' || memory.level === 1 ? '' : memory.text
      // What recalls counted is beside the log.
      const logged = projected.get(memory.id)
      expect(logged).toEqual({ ...memory, text, use: logged?.use })
    }
  })
})

describe('export and import', () => {
  it('round-trips to the letter, and the copy recalls the same', async () => {
    const { ana } = await know('I live in Porto.', 'I have a parrot named Kiwi.')
    await ana.edit((await factWith(ana, 'Porto')).id, { text: 'The user lives in Braga.' })
    const lines = await collect(ana.export())
    const copy = await openForTest()
    await copy.import(lines)
    const twin = copy.scope({ user: 'ana' })
    await twin.drain()
    expect(await collect(twin.export())).toEqual(lines)
    const question = 'Who is Kiwi?'
    const [one, other] = [
      await ana.recall(question, { reinforce: false }),
      await twin.recall(question, { reinforce: false }),
    ]
    expect(other.memories.map((recalled) => recalled.memory)).toEqual(
      one.memories.map((recalled) => recalled.memory),
    )
    expect(other.confidence).toBeCloseTo(one.confidence, 6)
  })

  it('imports nothing when a line cannot be read, and names the line', async () => {
    const { ana } = await know('I live in Porto.')
    const lines = await collect(ana.export())
    const copy = await openForTest()
    await expect(copy.import([...lines, '{"row":"turn"}'])).rejects.toThrow(`Line ${lines.length + 1} `)
    expect(await copy.scopes()).toEqual([])
  })

  it('does not import over a person who has rows already', async () => {
    const { keepsake, ana } = await know('I live in Porto.')
    await expect(keepsake.import(await collect(ana.export()))).rejects.toMatchObject({ code: 'not-possible' })
  })
})

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}
