import { describe, expect, it } from 'vitest'
import { makeMemory } from '../memories/memory-fixture.ts'
import { openEngine, storeMemories } from '../work/engine-fixture.ts'
import { storyUnits } from './pack-story.ts'

describe('the units of a story', () => {
  it('are all that were made, whatever became of them, and only those that are new are read', async () => {
    const place = await openEngine()
    const unit = (id: string, level: number, status: 'live' | 'forgotten' = 'live') =>
      makeMemory({ id, form: 'story', level, status, text: 'They met.' })
    await storeMemories(place, unit('one', 1), unit('two', 1, 'forgotten'), unit('above', 2))
    const state = await place.engine.users.load(place.row.owner)
    const asked: number[] = []
    const units = state.storyUnits.bind(state)
    state.storyUnits = (scope, from) => {
      const found = [...units(scope, from)]
      asked.push(found.length)
      return found
    }
    const known = [
      { ref: 'one', level: 1 },
      { ref: 'two', level: 1 },
      { ref: 'above', level: 2 },
    ]
    expect(storyUnits(state, place.row.scope)).toEqual(known)
    await storeMemories(place, unit('three', 1))
    const later = await place.engine.users.load(place.row.owner)
    expect(storyUnits(later, place.row.scope)).toEqual([...known, { ref: 'three', level: 1 }])
    expect([later === state, asked]).toEqual([true, [3, 1]])
  })
})
