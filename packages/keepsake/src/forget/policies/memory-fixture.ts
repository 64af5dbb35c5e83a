import type { Memory } from '../../memories/memory.ts'

/** What a test says of a memory; everything else is plain. */
export type MemoryTraits = Partial<Omit<Memory, 'use' | 'signals'>> & {
  readonly use?: Partial<Memory['use']>
  readonly signals?: Partial<Memory['signals']>
}

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
    signals: { arousal: null, surprise: null, importance: null, ...signals },
    use: { first: 0, second: 0, rounds: [], lastSession: 1, lastAt: 0, ...use },
  }
}
