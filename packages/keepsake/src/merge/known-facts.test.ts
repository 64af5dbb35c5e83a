import { describe, expect, it } from 'vitest'
import { makeCandidate, makeFact } from '../memories/memory-fixture.ts'
import { KnownFacts, type MergeDecision } from './known-facts.ts'

const LYON = makeFact({ id: 'lyon' })
const DOG = makeFact({ id: 'dog', text: 'The user has a dog.' })
const HEARD = { turn: 't9', quote: 'so it is' }

describe('facts as the decisions so far leave them', () => {
  it('are what is known until something is decided', () => {
    const facts = new KnownFacts([LYON, DOG])
    expect([facts.now.about('user'), facts.get('dog'), facts.get('cat'), facts.decisions]).toEqual([
      [LYON, DOG],
      DOG,
      undefined,
      [],
    ])
  })

  it('hold what was added, under its ref', () => {
    const facts = new KnownFacts([])
    const candidate = makeCandidate({ text: 'The user sings.' })
    const decision: MergeDecision = { kind: 'add', ref: 'new:0', candidate, why: 'new' }
    facts.decide(decision)
    expect(facts.now.about('user')).toEqual([{ ...candidate, id: 'new:0', past: [], pinned: false }])
    expect(facts.decisions).toEqual([decision])
  })

  it('say what a change made of them, and keep their names', () => {
    const facts = new KnownFacts([LYON])
    facts.decide({ kind: 'modify', memory: 'lyon', change: { text: 'The user sings.' }, why: '' })
    facts.decide({ kind: 'modify', memory: 'lyon', change: { validUntil: 300 }, why: '' })
    expect(facts.now.about('user')).toEqual([{ ...LYON, text: 'The user sings.', validUntil: 300 }])
  })

  it('hold no longer what was dropped', () => {
    const facts = new KnownFacts([LYON, DOG])
    facts.decide({ kind: 'delete', memory: 'lyon', validUntil: 300, asked: null, why: '' })
    expect(facts.now.about('user')).toEqual([DOG])
  })

  it('rest on what was told again, each piece of evidence once', () => {
    const facts = new KnownFacts([LYON])
    const evidence = [...LYON.evidence, HEARD, HEARD]
    facts.decide({ kind: 'none', memory: 'lyon', evidence, why: '' })
    expect(facts.now.about('user')).toEqual([{ ...LYON, evidence: [...LYON.evidence, HEARD] }])
  })

  it('note a decision on a memory that is not among them, and change nothing', () => {
    const facts = new KnownFacts([LYON])
    const decision: MergeDecision = {
      kind: 'modify',
      memory: 'cat',
      change: { text: 'The user sings.' },
      why: '',
    }
    facts.decide(decision)
    expect([facts.now.about('user'), facts.decisions]).toEqual([[LYON], [decision]])
  })
})
