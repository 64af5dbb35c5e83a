import type { Candidate } from './candidate.ts'
import type { Memory, Origin } from './memory.ts'

/** What a test says of a memory; everything else is plain. */
export type MemoryTraits = Partial<Omit<Memory, 'use' | 'signals'>> & {
  readonly use?: Partial<Memory['use']>
  readonly signals?: Partial<Memory['signals']>
}

/** Where what a test makes comes from. */
export const ORIGIN: Origin = { preset: 'test', step: 'test/1', promptVersion: null, model: null }

const NOT_MEASURED = { arousal: null, surprise: null, importance: null } as const

/** A live utterance of round 1 in session 1, never recalled, for tests. */
export function makeMemory({ use, signals, ...traits }: MemoryTraits = {}): Memory {
  return {
    id: 'm1',
    scope: 1,
    form: 'utterance',
    type: 'event',
    subject: 'user',
    text: 'We adopted a puppy called Milo.',
    key: null,
    value: null,
    level: 0,
    label: 'user-stated',
    evidence: [],
    sources: [],
    status: 'live',
    reason: null,
    pinned: false,
    learnedAt: 0,
    validFrom: 0,
    validUntil: null,
    past: [],
    session: 's1',
    sessionNumber: 1,
    round: 1,
    origin: { preset: 'test', step: 'pair/1', promptVersion: null, model: null },
    name: null,
    metadata: null,
    ...traits,
    signals: { ...NOT_MEASURED, ...signals },
    use: { first: 0, second: 0, rounds: [], lastSession: 1, lastAt: 0, ...use },
  }
}

/** A live fact about the user, told in turn t1 and so since 100, for tests. */
export function makeFact(traits: MemoryTraits = {}): Memory {
  const evidence = [{ turn: 't1', quote: null }]
  const text = 'The user lives in Lyon.'
  return makeMemory({ form: 'fact', type: 'persona', text, evidence, validFrom: 100, ...traits })
}

/** A statement about the user, told in turn t2 and so since 200, for tests. */
export function makeCandidate(traits: Partial<Candidate> = {}): Candidate {
  return {
    form: 'fact',
    type: 'persona',
    subject: 'user',
    text: 'The user lives in Paris.',
    key: null,
    value: null,
    level: 0,
    evidence: [{ turn: 't2', quote: null }],
    validFrom: 200,
    validUntil: null,
    signals: NOT_MEASURED,
    ...traits,
  }
}
