import { describe, expect, it, onTestFinished } from 'vitest'
import { openMemory, openSqliteStore, StoreError, type Keepsake } from 'keepsake'
import { type Store, projectLog } from 'keepsake/store'

const CALLS = ['append', 'commit', 'commitAll', 'erase'] as const
type Call = (typeof CALLS)[number]

/** A store whose server did what was asked and crashed before it said so, whenever it is told to. */
function doubtful(store: Store) {
  const armed = new Map<Call, number>()
  const isCall = (name: unknown): name is Call => CALLS.includes(name as Call)
  const wrapped = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const call = value.bind(target) as (...given: unknown[]) => unknown
      if (!isCall(name)) return call
      return async (...given: unknown[]) => {
        const result = await call(...given)
        const left = armed.get(name) ?? 0
        if (left === 0) return result
        armed.set(name, left - 1)
        throw new StoreError(
          'store-busy',
          'The connection was lost while the change was committed. Try again.',
        )
      }
    },
  })
  const arm = (...calls: readonly Call[]): void => calls.forEach((call) => armed.set(call, 1))
  const isSpent = (): boolean => [...armed.values()].some((left) => left === 0)
  return { store: wrapped, arm, isSpent }
}

async function open() {
  const store = await openSqliteStore({ path: ':memory:' })
  const lost = doubtful(store)
  const keepsake = await openMemory({ store: lost.store })
  onTestFinished(() => keepsake.close())
  const memory = keepsake.scope({ user: 'ana' })
  /** What stands in the store, which holds together. */
  const look = async () => {
    const { owner } = (await store.listScopes())[0] ?? { owner: 0 }
    const log = await store.listOperations({ userId: owner })
    const memories = (await store.listMemories({ userId: owner })).map((one) => one.memory)
    expect(memories).toEqual([...projectLog(log).values()])
    return { log, memories, turns: await store.listTurns({ userId: owner }), jobs: await store.listJobs() }
  }
  return { ...lost, keepsake, memory, look }
}

/** As a caller does who is told that the same call may succeed. */
async function tryAgain<Result>(call: () => Promise<Result>): Promise<Result> {
  await expect(call()).rejects.toMatchObject({ code: 'store-busy', isRetryable: true })
  return call()
}

const TALK = [
  { role: 'user', text: 'I live in Lyon.', id: 't1' },
  { role: 'user', text: 'My sister Mia is allergic to peanuts.', id: 't2' },
] as const

async function learned(keepsake: Keepsake): Promise<string> {
  const memory = keepsake.scope({ user: 'ana' })
  await memory.remember(TALK)
  await keepsake.drain()
  const [fact] = await memory.memories({ forms: ['fact'] })
  if (fact === undefined) throw new Error('nothing was learned')
  return fact.id
}

describe('a change that happened although it was told as failed', () => {
  it('of turns is known by their ids', async () => {
    const { memory, keepsake, arm, look } = await open()
    arm('append')
    expect(await tryAgain(() => memory.remember(TALK))).toMatchObject({ turns: ['t1', 't2'], added: 0 })
    expect((await look()).turns.map(({ id }) => id)).toEqual(['t1', 't2'])
    await keepsake.drain()
    expect((await memory.recall('Where do I live?')).context.text).toContain('Lyon')
  })

  it('of turns named after the call is known by them', async () => {
    const { memory, arm, look } = await open()
    arm('append')
    const said = { role: 'user', text: 'I live in Lyon.' } as const
    expect(await tryAgain(() => memory.remember(said, { id: 'call' }))).toMatchObject({ added: 0 })
    expect((await look()).turns.map(({ id }) => id)).toEqual(['call/0'])
  })

  it('of what the worker drew is found done by it, and drawn once', async () => {
    const sure = await open()
    await learned(sure.keepsake)
    const expected = (await sure.look()).memories.map(({ text, form }) => [form, text])
    const { memory, keepsake, arm, isSpent, look } = await open()
    await memory.remember(TALK)
    arm('commit', 'commitAll')
    await expect
      .poll(async () => {
        await keepsake.drain()
        return (await look()).jobs
      })
      .toEqual([])
    expect(isSpent()).toBe(true)
    expect((await look()).memories.map(({ text, form }) => [form, text])).toEqual(expected)
    expect((await memory.recall('Where do I live?')).context.text).toContain('Lyon')
  })

  it('of an edit leaves one past version, not one of itself', async () => {
    const { memory, keepsake, arm, look } = await open()
    const fact = await learned(keepsake)
    arm('commit')
    await tryAgain(() => memory.edit(fact, { text: 'The user lives in Oslo.' }))
    const edited = (await look()).memories.find(({ id }) => id === fact)
    expect(edited?.text).toBe('The user lives in Oslo.')
    expect(edited?.past.map(({ text }) => text)).toEqual(['The user lives in Lyon.'])
  })

  it('of a removal is told as done', async () => {
    const { memory, keepsake, arm, look } = await open()
    const fact = await learned(keepsake)
    arm('commit')
    await expect(tryAgain(() => memory.forget(fact))).rejects.toMatchObject({ code: 'not-possible' })
    const { log, memories } = await look()
    expect(memories.find(({ id }) => id === fact)?.status).toBe('deleted')
    expect(log.filter(({ kind, memory: of }) => kind === 'delete' && of === fact)).toHaveLength(1)
  })

  it('of an undo is told as done', async () => {
    const { memory, keepsake, arm, look } = await open()
    const fact = await learned(keepsake)
    const { id } = await memory.forget(fact)
    arm('commit')
    await expect(tryAgain(() => memory.undo(id))).resolves.toMatchObject({ undoes: id })
    const { log, memories } = await look()
    expect(memories.find((one) => one.id === fact)?.status).toBe('live')
    expect(log.filter(({ undoes }) => undoes === id)).toHaveLength(1)
  })

  it('of an erasure leaves nothing of it, and every memory one tombstone', async () => {
    const { memory, keepsake, arm, look } = await open()
    const fact = await learned(keepsake)
    arm('erase')
    await tryAgain(() => memory.erase({ memories: [fact] })).catch((error: unknown) =>
      expect(error).toMatchObject({ code: 'not-found' }),
    )
    const { log, memories, turns } = await look()
    expect(turns.map(({ id }) => id)).toEqual(['t2'])
    expect(JSON.stringify(memories)).not.toContain('Lyon')
    expect(log.filter(({ kind, memory: of }) => kind === 'erase' && of === fact)).toHaveLength(1)
    expect((await memory.recall('Where do I live?')).context.text).not.toContain('Lyon')
  })

  it('of the erasure of a person is told as done: nobody is there', async () => {
    const { memory, keepsake, arm } = await open()
    await learned(keepsake)
    arm('erase')
    await tryAgain(() => memory.erase({ everything: true })).catch((error: unknown) =>
      expect(error).toMatchObject({ code: 'not-found' }),
    )
    expect(await keepsake.scopes()).toEqual([])
    expect((await memory.recall('Where do I live?')).memories).toEqual([])
  })
})
