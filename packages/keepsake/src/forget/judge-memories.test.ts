import { describe, expect, it } from 'vitest'
import { makeFact, makeMemory } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import { openEngine, storeMemories, storeTurns, type TestScope } from '../work/engine-fixture.ts'
import { momentOf, viewScope } from '../work/scope-view.ts'
import { judgeMemories } from './judge-memories.ts'
import { judgingFacts } from './policy-fixture.ts'

const RETENTION = { when: 'session-end', keep: 0.5 } as const

const fact = (id: string, text: string, traits: Partial<Memory> = {}): Memory =>
  makeFact({ id, text, ...traits })

async function open(...memories: Memory[]): Promise<TestScope> {
  const place = await openEngine({ preset: judgingFacts(RETENTION) })
  await storeMemories(place, ...memories)
  return place
}

async function judge({ engine, row }: TestScope) {
  const view = await viewScope(engine, row)
  const run = await judgeMemories(view, momentOf(view), RETENTION)
  return { view, run, kept: run.selection.judged.map(({ memory, kept }) => [memory.id, kept]) }
}

describe('judgeMemories', () => {
  it('judges what is live and not exempt, strongest first', async () => {
    const place = await open(
      fact('short', 'one'),
      fact('long', 'one two three'),
      fact('deleted', 'one two three four', { status: 'deleted' }),
      fact('quarantined', 'one two three four', { status: 'quarantined' }),
      fact('summary', 'one two three four', { form: 'summary' }),
    )
    const { kept, run } = await judge(place)
    expect(kept).toEqual([
      ['long', true],
      ['short', false],
    ])
    expect(run.retention).toBe(RETENTION)
  })

  it('keeps a share of all that was made, what was forgotten before included and what was deleted not', async () => {
    const gone = (id: string, status: Memory['status']) => fact(id, 'gone', { status })
    const live = [fact('a', 'aaa'), fact('b', 'bb')]
    const share = async (...others: Memory[]) => (await judge(await open(...live, ...others))).kept
    expect(await share()).toEqual([
      ['a', true],
      ['b', false],
    ])
    expect(await share(gone('f1', 'forgotten'))).toEqual([
      ['a', true],
      ['b', true],
    ])
    expect(await share(gone('d1', 'deleted'), gone('d2', 'quarantined'))).toEqual([
      ['a', true],
      ['b', false],
    ])
  })

  it('leaves the story’s raw units to the story, and judges what was told', async () => {
    const unit = (id: string, traits: Partial<Memory>) =>
      makeMemory({ id, form: 'story', level: 1, ...traits })
    const place = await open(
      unit('raw', { text: '', evidence: [{ turn: 't1', quote: null }] }),
      unit('told', { text: 'They met.' }),
      unit('above', { text: '', level: 2 }),
      fact('blank', '', { level: 1 }),
    )
    expect((await judge(place)).kept.map(([id]) => id)).toEqual(['told', 'blank', 'above'])
  })

  it('reads the words of utterances from their turns', async () => {
    const place = await open()
    await storeTurns(place, { text: 'I mend old clocks, and new ones.' })
    await storeMemories(
      place,
      fact('f', 'short'),
      makeMemory({ id: 'u', text: '', evidence: [{ turn: 't1', quote: null }] }),
    )
    expect((await judge(place)).kept).toEqual([
      ['u', true],
      ['f', false],
    ])
  })
})
