import { findPreset, PRESET_NAMES, type PresetName } from 'keepsake'
import { beforeAll, describe, expect, it } from 'vitest'
import type { BenchConversation } from '../datasets/conversation.ts'
import { loadOwnTalk } from '../datasets/own-talk.ts'
import { keepsakeSystem, turnLevelBm25 } from '../retrieval/keepsake-system.ts'
import { judgeRecall, type QuestionOutcome } from '../retrieval/question-outcome.ts'
import type { RetrievalSystem } from '../retrieval/system.ts'
import { presetSystem } from './keepsake-memory.ts'
import type { MemorySystem, SystemMemory } from './memory-system.ts'
import { turnBm25 } from './turn-bm25.ts'

/** As many turns as `keepsake bench retrieval` asks for. */
const LIMIT = 100

async function fill(system: MemorySystem, conversation: BenchConversation): Promise<SystemMemory> {
  const memory = await system.open({ user: conversation.user, model: null, embedding: null })
  for (const { id, turns } of conversation.sessions)
    await memory.addDialogue({ session: id, turns, endsSession: true })
  return memory
}

async function byContract(system: MemorySystem, talk: BenchConversation): Promise<QuestionOutcome[]> {
  const memory = await fill(system, talk)
  const outcomes: QuestionOutcome[] = []
  for (const question of talk.questions) {
    const found = await memory.retrieve(question.text, { limit: LIMIT, at: question.askedAt, tokens: 1000 })
    const { turns, sessions, confidence } = found
    const recall = { turns: turns ?? [], sessions: sessions ?? [], confidence: confidence ?? 0 }
    outcomes.push(judgeRecall(talk, question, recall, 0, null))
  }
  await memory.close()
  return outcomes
}

async function byRetrievalBench(
  system: RetrievalSystem,
  talk: BenchConversation,
): Promise<QuestionOutcome[]> {
  const memory = await system.ingest(talk)
  const outcomes: QuestionOutcome[] = []
  for (const question of talk.questions)
    outcomes.push(judgeRecall(talk, question, await memory.recall(question, LIMIT), 0, null))
  await memory.close()
  return outcomes
}

/**
 * Those that forget as they go. `bench retrieval` tells the whole talk before the first session is over, and the policy
 * then judges at another moment than in an application, which this interface follows.
 */
const JUDGED_LATER: readonly PresetName[] = ['moom', 'lufy', 'memory-bank']
const isSearching = (name: PresetName): boolean => findPreset(name).ranking.kind !== 'whole'
const SAME = PRESET_NAMES.filter((name) => !JUDGED_LATER.includes(name) && isSearching(name))

describe('a preset behind the harness’s interface finds what `bench retrieval` finds with it', () => {
  const talks: BenchConversation[] = []
  beforeAll(async () => {
    for (const name of ['nadia-en', 'haoran-zh']) talks.push((await loadOwnTalk(name)).conversation)
  })

  it.each(SAME)('%s', async (preset: PresetName) => {
    // In Chinese, who else is spoken of is counted otherwise by an index that grew than by one that was read whole.
    for (const talk of findPreset(preset).recalls.includes('fact') ? talks.slice(0, 1) : talks) {
      const expected = await byRetrievalBench(keepsakeSystem({ preset }), talk)
      expect(await byContract(presetSystem(preset), talk)).toEqual(expected)
    }
  })

  it('and one that searches for nothing claims no ranking of turns', async () => {
    const compressive = PRESET_NAMES.filter((name) => !isSearching(name))
    expect(compressive).toEqual(expect.arrayContaining(['comedy', 'resum']))
    for (const preset of compressive) {
      const memory = await presetSystem(preset).open({ user: 'ana', model: null, embedding: null })
      const found = await memory.retrieve('Where does she live?', { limit: 5, at: 0, tokens: 500 })
      expect(found).toMatchObject({ turns: null, sessions: null, confidence: null })
      await memory.close()
    }
  })

  it('turn-level BM25', async () => {
    for (const talk of talks)
      expect(await byContract(turnBm25(), talk)).toEqual(await byRetrievalBench(turnLevelBm25(), talk))
  })
})
