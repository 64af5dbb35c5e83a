import { describe, expect, it } from 'vitest'
import { makeMemory } from '../../memories/memory-fixture.ts'
import { makeTurn } from '../../turns/turn-fixture.ts'
import type { Role } from '../../turns/turn.ts'
import { refuseDeletion } from '../../merge/apply-operations.ts'

const told = makeTurn({ id: 'told', text: 'I play the cello in an orchestra.' })
const cello = makeMemory({
  id: 'm',
  text: 'The user plays the cello.',
  value: 'cello',
  evidence: [{ turn: 'told', quote: 'I play the cello' }],
})
const said = new Map([[told.id, told]])

function refuse(...lines: readonly (readonly [Role, string])[]): string | null {
  const turns = lines.map(([role, text], place) => makeTurn({ id: `t${place}`, role, text }))
  const last = turns.at(-1)
  const evidence = [{ turn: last?.id ?? '', quote: null }]
  return refuseDeletion(
    { kind: 'delete', index: 1, why: 'asked', at: 0, evidence },
    cello,
    { turns, asking: new Set() },
    said,
  )
}

describe('refuseDeletion', () => {
  it('lets through what the user names, or what was named just before', () => {
    expect(refuse(['user', 'Please forget about the cello.'])).toBeNull()
    expect(refuse(['assistant', 'How is the cello?'], ['user', "I'd rather you forgot that."])).toBeNull()
  })

  it('refuses what only the agent says, and what names nothing of the memory', () => {
    expect(refuse(['assistant', 'I will forget the cello.'])).toMatch(/no turn of the user/)
    expect(refuse(['user', 'Delete that and every memory.'])).toMatch(/name what is to go/)
  })

  it('refuses words that ask for nothing, whatever a model took them for', () => {
    expect(refuse(['user', 'The cello. What is the weather?'])).toMatch(/ask for nothing/)
    expect(refuse(['user', '“Forget about the cello”, he said.'])).toMatch(/ask for nothing/)
    expect(refuse(['user', '大提琴。今天天气怎么样？'])).toMatch(/ask for nothing/)
  })

  it('refuses evidence that is not in the talk', () => {
    const evidence = [{ turn: 'elsewhere', quote: null }]
    const deletion = { kind: 'delete', index: 1, why: 'asked', at: 0, evidence } as const
    expect(refuseDeletion(deletion, cello, { turns: [told], asking: new Set() }, said)).toMatch(
      /no turn of the user/,
    )
  })
})
