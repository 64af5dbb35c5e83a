import type { LanguageModel } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DatasetTurn } from '../../datasets/conversation.ts'
import type { MemorySystem, SystemMemory } from '../memory-system.ts'

/** The reasons why a system cannot do something. The tests of it are then skipped. */
export interface SystemAbilities {
  /** Why it never finds anything. */
  readonly keepsNothing?: string
  /** Why it returns the same for every question. */
  readonly searchesNothing?: string
  /** Why it uses no model. */
  readonly asksNoModel?: string
}

/** The models for an open memory of the system. */
export interface ContractModels {
  /** A model that extracts the facts of the talk; `null`: the system uses none. */
  readonly model: LanguageModel | null
  /** A model that cannot be reached. */
  readonly failing: LanguageModel
}

const START = Date.UTC(2026, 2, 2, 18)
const LIMIT = 10
const TOKENS = 500

let made = 0

function turn(role: DatasetTurn['role'], text: string): DatasetTurn {
  made += 1
  const speaker = role === 'user' ? 'Ines' : 'Wren'
  const id = `t${String(made).padStart(5, '0')}`
  return { id, role, speaker, text, at: START + made * 60_000, zone: 'UTC' }
}

/** A talk of two rounds. */
function said(telling: string): DatasetTurn[] {
  return [
    turn('assistant', 'Good evening. How was your day?'),
    turn('user', telling),
    turn('assistant', 'Thank you for telling me.'),
    turn('user', 'Good night then.'),
  ]
}

const VIOLIN = 'I play the violin in the Tromso orchestra.'
const DOG = 'My dog is called Biscuit.'
const CHINESE = '我住在苏州。'

async function add(memory: SystemMemory, session: string, telling: string): Promise<DatasetTurn[]> {
  const turns = said(telling)
  await memory.addDialogue({ session, turns, endsSession: true })
  return turns
}

const ask = (memory: SystemMemory, question: string, tokens: number = TOKENS) =>
  memory.retrieve(question, { limit: LIMIT, at: START + 86_400_000, tokens })

/**
 * Tests what the harness requires of every memory system.
 *
 * @param name name of the system in the titles of the tests
 * @param makeSystem returns a system, which may be the same each time
 * @param makeModels makes the models of a test
 * @example
 * describeSystem('bm25', turnBm25, () => ({ model: null, failing }), { asksNoModel: 'it runs without one' })
 */
export function describeSystem(
  name: string,
  makeSystem: () => MemorySystem,
  makeModels: () => ContractModels,
  abilities: SystemAbilities = {},
): void {
  const unless = (reason: string | undefined) =>
    reason === undefined ? { it, note: '' } : { it: it.skip, note: ` — skipped: ${reason}` }
  const keeps = unless(abilities.keepsNothing)
  const searches = unless(abilities.searchesNothing ?? abilities.keepsNothing)
  const asks = unless(abilities.asksNoModel)

  describe(`system contract: ${name}`, () => {
    const opened: SystemMemory[] = []
    let memory: SystemMemory
    const open = async (user = 'ines'): Promise<SystemMemory> => {
      const one = await makeSystem().open({ user, model: makeModels().model, embedding: null })
      opened.push(one)
      return one
    }
    beforeEach(async () => {
      memory = await open()
    })
    afterEach(async () => {
      vi.restoreAllMocks()
      for (const each of opened.splice(0)) await each.close()
    })

    it('finds nothing in an empty memory', async () => {
      expect(await ask(memory, 'What does Ines play?')).toMatchObject({ memories: [], context: '' })
      expect(await memory.memories()).toEqual([])
      expect(await memory.dialogueMemories('s1')).toEqual([])
    })

    keeps.it(`reports the memories that a dialogue added, and finds them${keeps.note}`, async () => {
      const turns = said(VIOLIN)
      const { operations } = await memory.addDialogue({ session: 's1', turns, endsSession: true })
      const added = (operations ?? []).filter(({ kind }) => kind === 'add')
      expect(added.map(({ after }) => after).join('\n')).toContain('violin')
      for (const { before, after } of added) expect([before, typeof after]).toEqual([null, 'string'])
      const found = await ask(memory, 'Which instrument does Ines play?')
      expect(found.memories.map(({ text }) => text).join('\n')).toContain('violin')
      expect(found.context).toContain('violin')
      expect(found.memories.length).toBeLessThanOrEqual(LIMIT)
      const named = [
        ...(found.turns ?? []).map(({ id }) => id),
        ...found.memories.flatMap((one) => one.turns ?? []),
      ]
      expect(turns.map(({ id }) => id)).toEqual(expect.arrayContaining(named))
    })

    keeps.it(`lists the memories of a dialogue and all memories, with unique ids${keeps.note}`, async () => {
      await add(memory, 's1', VIOLIN)
      await add(memory, 's2', DOG)
      const first = (await memory.dialogueMemories('s1')) ?? []
      const second = (await memory.dialogueMemories('s2')) ?? []
      const textOf = (items: typeof first): string => items.map(({ text }) => text).join('\n')
      expect(textOf(first)).toContain('violin')
      expect(textOf(first)).not.toContain('Biscuit')
      expect(textOf(second)).toContain('Biscuit')
      const all = (await memory.memories()) ?? []
      expect(textOf(all)).toContain('violin')
      expect(textOf(all)).toContain('Biscuit')
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    })

    searches.it(`finds the most relevant memory first${searches.note}`, async () => {
      await add(memory, 's1', VIOLIN)
      await add(memory, 's2', DOG)
      const [best] = (await ask(memory, 'What is the name of the dog called Biscuit?')).memories
      expect(best?.text).toContain('Biscuit')
    })

    it('keeps two open memories apart', async () => {
      const other = await open('jonas')
      await add(memory, 's1', VIOLIN)
      expect((await ask(other, 'Which instrument does Ines play?')).memories).toEqual([])
      expect(await other.memories()).toEqual([])
    })

    keeps.it(`works in Chinese${keeps.note}`, async () => {
      await add(memory, 's1', CHINESE)
      const found = await ask(memory, '她住在哪里？苏州吗？')
      expect(found.memories.map(({ text }) => text).join('\n')).toContain('苏州')
      expect(found.context).toContain('苏州')
    })

    it('keeps the context within its budget', async () => {
      for (let session = 1; session <= 4; session += 1) await add(memory, `s${session}`, VIOLIN)
      // The harness counts four characters as a token.
      expect((await ask(memory, 'Which instrument?', 20)).context.length).toBeLessThanOrEqual(80)
    })

    asks.it(`throws the error of a model${asks.note}`, async () => {
      // Some systems also write to the console.
      vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const { failing } = makeModels()
      const one = await makeSystem().open({ user: 'ines', model: failing, embedding: null })
      opened.push(one)
      await expect(
        one.addDialogue({ session: 's1', turns: said(VIOLIN), endsSession: true }),
      ).rejects.toThrow('out of reach')
    })

    it('counts its model calls from 0', async () => {
      expect(memory.usage()).toMatchObject({ calls: 0, inputTokens: 0, outputTokens: 0 })
      const before = memory.usage()
      await add(memory, 's1', VIOLIN)
      const after = memory.usage()
      const asked = makeModels().model !== null && abilities.asksNoModel === undefined
      expect(after.calls > before.calls).toBe(asked)
      expect(memory.usage()).toEqual(after)
    })
  })
}
