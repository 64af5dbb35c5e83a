import { scriptedModel, type LanguageRequest } from 'keepsake/model'
import { afterEach, describe, expect, it } from 'vitest'
import type { DatasetTurn } from '../datasets/conversation.ts'
import { wholeContext } from './kept-turns.ts'
import { keepsakeSystem } from './keepsake.ts'
import type { SystemMemory, SystemOperation } from './memory-system.ts'

const opened: SystemMemory[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

async function open(...given: Parameters<typeof keepsakeSystem>): Promise<SystemMemory> {
  const memory = await keepsakeSystem(...given).open({ user: 'ana', model: null, embedding: null })
  opened.push(memory)
  return memory
}

let made = 0
function userTurn(text: string): DatasetTurn {
  made += 1
  const at = Date.UTC(2026, 4, 1) + made * 3_600_000
  return { id: `t${String(made).padStart(5, '0')}`, role: 'user', speaker: 'Ana', text, at, zone: 'UTC' }
}

async function tell(
  memory: SystemMemory,
  session: string,
  text: string,
  endsSession = true,
): Promise<readonly SystemOperation[]> {
  const { operations } = await memory.addDialogue({ session, turns: [userTurn(text)], endsSession })
  return operations ?? []
}

const told = (operations: readonly SystemOperation[]) =>
  operations.map(({ kind, before, after }) => [kind, before, after])

describe('the operations of a dialogue', () => {
  it('are an addition for what is new, one modification for a value that takes another’s place', async () => {
    const memory = await open('mmm')
    expect(told(await tell(memory, 's1', 'I live in Lyon.'))).toEqual([['add', null, 'Ana lives in Lyon.']])
    const [before] = (await memory.memories()) ?? []
    const second = await tell(memory, 's2', 'I live in Porto now.')
    expect(second.map(({ kind }) => kind)).toEqual(['modify'])
    expect(second[0]).toMatchObject({ memory: before?.id, before: 'Ana lives in Lyon.' })
    expect(second[0]?.after).toContain('Porto')
  })

  it('are a deletion for what the user asks to forget', async () => {
    const memory = await open('mmm')
    await tell(memory, 's1', 'My dog is called Biscuit.')
    const operations = await tell(memory, 's2', 'Please forget what I said about my dog.')
    expect(told(operations)).toEqual([['delete', "Ana's dog is called Biscuit.", null]])
    expect(await memory.memories()).toEqual([])
  })

  it('are none for what says nothing, and none for what the policy lets go', async () => {
    const memory = await open('first-in-first-out')
    const first = await tell(memory, 's1', 'I live in Lyon.')
    expect(told(first)).toEqual([['add', null, 'I live in Lyon.']])
    for (const text of ['Good morning.', 'I bought a bike.', 'It rained.'])
      for (const { kind } of await tell(memory, text, text)) expect(kind).toBe('add')
    // All but the latest tenth were forgotten, and no operation of the talk reported it.
    expect((await memory.memories())?.length).toBe(1)
    expect(told(await tell(await open('mmm'), 's1', 'Good night.'))).toEqual([])
  })

  it('come round by round where a session is told so', async () => {
    const memory = await open('mmm')
    expect(await tell(memory, 's1', 'I live in Lyon.', false)).toHaveLength(1)
    expect(await tell(memory, 's1', 'My dog is called Biscuit.', false)).toHaveLength(1)
    expect(await tell(memory, 's1', 'Good night.')).toHaveLength(0)
    expect(await memory.dialogueMemories('s1')).toHaveLength(2)
  })
})

describe('a portrait', () => {
  it('stands whole at the head of the context', async () => {
    const memory = await open('comedy')
    await tell(memory, 's1', 'I live in Lyon with my sister and work there as a nurse.')
    await tell(memory, 's2', 'My dog is called Biscuit and he is seven years old.')
    const at = Date.UTC(2026, 5, 1)
    const { context } = await memory.retrieve('Where does Ana live?', { limit: 10, at, tokens: 500 })
    expect(context).toContain('Biscuit')
    const { context: short } = await memory.retrieve('Where?', { limit: 10, at, tokens: 6 })
    expect(short.length).toBeLessThanOrEqual(24)
  })
})

describe('a preset with a language model', () => {
  const memories = [
    {
      changes: null,
      text: 'Ana lives in Lyon.',
      type: 'persona',
      subject: 'user',
      word: 'user',
      key: null,
      value: null,
      when: null,
      until: null,
      importance: 5,
      evidence: ['1: I live in Lyon.'],
    },
  ]
  const reader = ({ schema }: LanguageRequest): string =>
    schema === null ? 'In Lyon.' : JSON.stringify({ summary: 'Ana spoke.', memories, forget: [] })

  it('draws with it, replies with it, and counts both', async () => {
    const model = scriptedModel(reader)
    const memory = await keepsakeSystem('keepsake').open({ user: 'ana', model, embedding: null })
    opened.push(memory)
    expect(told(await tell(memory, 's1', 'I live in Lyon.'))).toEqual([['add', null, 'Ana lives in Lyon.']])
    const { calls } = memory.usage()
    expect(calls).toBeGreaterThan(0)
    const question = {
      id: 'q1',
      text: 'Where does Ana live?',
      askedAt: Date.UTC(2026, 5, 1),
      category: 'other',
      evidence: [],
      answerable: true,
    }
    expect(await memory.answer?.(question)).toBe('In Lyon.')
    expect(memory.usage().calls).toBe(calls + 1)
    // A question leaves nothing behind.
    expect(await memory.dialogueMemories('s1')).toHaveLength(1)
  })
})

it('keeps the newest turns of a whole context that its budget holds', async () => {
  const memory = await wholeContext().open({ user: 'ana', model: null, embedding: null })
  await tell(memory, 's1', 'one')
  await tell(memory, 's1', 'two')
  await tell(memory, 's2', 'three')
  const ask = (tokens: number) => memory.retrieve('?', { limit: 2, at: 0, tokens })
  const whole = await ask(1_000)
  expect(whole.context.split('\n').map((line) => line.slice(13))).toEqual([
    'Ana: one',
    'Ana: two',
    'Ana: three',
  ])
  // “[2026-05-01] Ana: three” and its line end are 24 characters: six tokens; each of the others as many.
  expect((await ask(12)).context.split('\n')).toHaveLength(2)
  expect((await ask(11)).context).toContain('three')
  expect((await ask(11)).context).not.toContain('two')
  expect(whole.memories.map(({ text }) => text)).toEqual(['Ana: three', 'Ana: two'])
})
