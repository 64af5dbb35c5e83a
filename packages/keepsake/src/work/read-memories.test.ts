import { describe, expect, it } from 'vitest'
import { makeFact, makeMemory } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import type { Turn } from '../turns/turn.ts'
import { openEngine, storeTurns } from './engine-fixture.ts'
import { readTurns, wholeMemories, turnsOf, utteranceText } from './read-memories.ts'

const whole = (...turns: string[]) => turns.map((turn) => ({ turn, quote: null }))

async function open(...turns: Partial<Turn>[]) {
  const { engine, row } = await openEngine()
  await storeTurns({ engine, row }, ...turns)
  return { engine, row }
}

describe('memories with their words', () => {
  it('gives utterances and raw units the words of their turns, and leaves the others’ own', async () => {
    const { engine, row } = await open(
      { text: 'I keep bees.', speaker: 'Ana' },
      { text: 'How many?', role: 'assistant' },
    )
    const words = async (...memories: Memory[]) =>
      (await wholeMemories(engine, row.owner, memories)).map(({ text }) => text)
    const said = makeMemory({ text: '', evidence: whole('t1', 't2') })
    const unit = makeMemory({ form: 'story', level: 1, text: '', evidence: whole('t2') })
    expect(await words(said, unit, makeFact({ text: 'Ana keeps bees.', evidence: whole('t1') }))).toEqual([
      'Ana: I keep bees.\nagent: How many?',
      'How many?',
      'Ana keeps bees.',
    ])
    expect(
      await words(
        { ...unit, text: 'They spoke.' },
        { ...unit, level: 2 },
        { ...unit, form: 'summary' },
        { ...said, status: 'erased' },
        { ...said, status: 'deleted' },
      ),
    ).toEqual(['They spoke.', '', '', '', 'Ana: I keep bees.\nagent: How many?'])
  })
})

describe('the words of an utterance', () => {
  it('are those of its turns that are there, each after its speaker where there are several', async () => {
    const { engine, row } = await open({ text: 'one' }, { text: 'two', role: 'assistant' })
    const turns = await readTurns(engine, row.owner, ['t1', 't2'])
    const text = (...ids: string[]) => utteranceText(makeMemory({ evidence: whole(...ids) }), turns)
    expect([text('t2', 't1'), text('t1'), text('t1', 'gone'), text('gone'), text()]).toEqual([
      'agent: two\nuser: one',
      'one',
      'one',
      '',
      '',
    ])
  })

  it('rest on the turns that its evidence names', () => {
    expect(turnsOf(makeMemory({ evidence: whole('t2', 't1') }))).toEqual(['t2', 't1'])
  })
})
