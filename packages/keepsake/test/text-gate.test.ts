import { dirname } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvalidInputError, openMemory, type Keepsake, type LanguageModel, type ScopedMemory } from 'keepsake'
import { HOSTILE_RUNS, hostileText, isStored, leaksOf, type HostileText } from './hostile-text.ts'
import { answering, fact, segmentAnswer } from './script-model.ts'
import { temporaryFile } from './temporary-file.ts'

interface Way {
  /** Hands the text over; what a language model writes is in `model`. */
  readonly take: (ana: ScopedMemory, text: string, keepsake: Keepsake) => Promise<unknown>
  readonly model?: (text: string) => LanguageModel
  /** Stored masked when absent. Names cannot be masked: one would be taken for another. */
  readonly isRefused?: true
}

const said = { role: 'user', text: 'I keep a boat.', id: 'boat' } as const
const add = async (ana: ScopedMemory) => (await ana.note('I keep a boat.')).id
/** A model that writes a text wherever it may write any. */
const writing = (text: string) =>
  answering({
    text,
    segment: segmentAnswer([fact(`Keeps a boat. ${text}`, 1, 'keep a boat', { value: text })], {
      summary: text,
    }),
    ground: { verdicts: [{ statement: 1, reason: text, verdict: 'stated-by-user' }] },
    renew_portrait: { user: text, relationship: text, events: text },
  })

/** An export of one turn and what was drawn from it, with a text put where each occurrence of a word stood. */
async function exportWith(text: string, ...words: string[]): Promise<string[]> {
  const other = await openMemory({ path: ':memory:' })
  const bo = other.scope({ user: 'bo', agent: 'juno' })
  await bo.remember({ ...said, speaker: 'Bob', metadata: { topic: 'sailing' } }, { session: 'first' })
  await bo.note('Keeps a boat.', { name: 'berth', metadata: { topic: 'sailing' } })
  await other.drain()
  const lines = await Array.fromAsync(bo.export())
  await other.close()
  const inJson = JSON.stringify(text).slice(1, -1)
  return lines.map((line) => words.reduce((changed, word) => changed.replaceAll(word, () => inJson), line))
}

const WAYS: Readonly<Record<string, Way>> = {
  'the text of a turn': { take: (ana, text) => ana.remember({ ...said, text }) },
  'the speaker of a turn': { take: (ana, text) => ana.remember({ ...said, speaker: text }) },
  'the metadata of a turn': {
    take: (ana, text) => ana.remember({ ...said, metadata: { [text]: 1, topic: [text, { text }] } }),
  },
  'the id of a turn': { take: (ana, text) => ana.remember({ ...said, id: text }), isRefused: true },
  'the id of a call': {
    take: (ana, text) => ana.remember({ role: 'user', text: 'Hi.' }, { id: text }),
    isRefused: true,
  },
  'the name of a session': { take: (ana, text) => ana.remember(said, { session: text }), isRefused: true },
  'the name of a user': {
    take: (_, user, keepsake) => keepsake.scope({ user }).remember(said),
    isRefused: true,
  },
  'the name of a tenant': {
    take: (_, tenant, keepsake) => keepsake.scope({ tenant, user: 'ana' }).note('Hi.'),
    isRefused: true,
  },
  'the name of an agent': {
    take: (_, agent, keepsake) => keepsake.scope({ user: 'ana', agent }).remember(said),
    isRefused: true,
  },
  'the name of an app': {
    take: (_, app, keepsake) => keepsake.scope({ user: 'ana', app }).remember(said),
    isRefused: true,
  },
  'a note': { take: (ana, text) => ana.note(text, { metadata: { text } }) },
  'a block': { take: (ana, text) => ana.writeBlock('tasks', text, { limit: 100_000 }) },
  'an edit of a block': {
    take: async (ana, text) => {
      await ana.writeBlock('tasks', 'one', { limit: 100_000 })
      await ana.editBlock('tasks', { find: 'one', replace: text })
    },
  },
  'the name of a block': { take: (ana, name) => ana.writeBlock(name, 'Hi.'), isRefused: true },
  'a statement': {
    take: (ana, text) => ana.addFact(text, { key: 'hobbies', value: text, metadata: { text } }),
  },
  'whom a statement is about': {
    take: (ana, subject) => ana.addFact('Keeps a boat.', { subject }),
    isRefused: true,
  },
  'the key of a statement': { take: (ana, key) => ana.addFact('Keeps a boat.', { key }), isRefused: true },
  'the name of a note': { take: (ana, text) => ana.note('Hi.', { name: text }), isRefused: true },
  'the session of a note': { take: (ana, text) => ana.note('Hi.', { session: text }), isRefused: true },
  'an edit': {
    take: async (ana, text) => ana.edit(await add(ana), { text, value: text, metadata: { text } }),
  },
  'the type in an edit': {
    take: async (ana, text) => ana.edit(await add(ana), { type: text as 'event' }),
    isRefused: true,
  },
  'texts in an import': {
    take: async (_, text, keepsake) =>
      keepsake.import(await exportWith(text, 'I keep a boat.', 'Bob', 'sailing', 'topic')),
  },
  'names in an import': {
    take: async (_, text, keepsake) => keepsake.import(await exportWith(text, '"first"', 'berth')),
    isRefused: true,
  },
  'what a model draws from talk': {
    take: (ana) => ana.remember(said),
    model: writing,
  },
  'an answer of a model that cannot be used': {
    take: (ana) => ana.remember(said),
    model: (text) => answering({ segment: { text: `I would rather say: ${text}` } }),
  },
  'a reply': {
    take: async (ana) => (await ana.reply({ ...said, id: 'asked' })).text,
    model: writing,
  },
}

async function leaksThrough(
  { take, model }: Way,
  hostile: HostileText,
): Promise<{ leaks: string[]; stored: boolean; refused: boolean }> {
  const path = temporaryFile()
  const language = model === undefined ? {} : { model: model(hostile.text), modelOptions: { retries: 0 } }
  const keepsake = await openMemory({ path, ...language })
  const ana = keepsake.scope({ user: 'ana' })
  let refused = false
  try {
    await take(ana, hostile.text, keepsake)
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    expect(error.message).not.toContain(hostile.secret)
    refused = true
  }
  await ana.endSession()
  await keepsake.drain()
  const open = leaksOf(dirname(path), hostile)
  await keepsake.close()
  return { leaks: [...open, ...leaksOf(dirname(path), hostile)], stored: isStored(dirname(path)), refused }
}

describe('no secret and nothing ill-formed reaches the file', () => {
  it.each(Object.entries(WAYS))('through %s', async (_, way) => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (hostile) => {
        const { leaks, stored, refused } = await leaksThrough(way, hostile)
        expect(leaks).toEqual([])
        expect(refused).toBe(way.isRefused === true)
        expect(stored).toBe(!refused)
      }),
      { numRuns: HOSTILE_RUNS },
    )
  })
})
