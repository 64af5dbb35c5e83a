import { candidateOf, type Candidate } from './candidate.ts'
import { ChangeSet } from './change-set.ts'
import { BLANK, type Memory, type Origin } from './memory.ts'

/** Fields that a test sets; the others have default values. */
export type MemoryTraits = Partial<Omit<Memory, 'use' | 'signals'>> & {
  readonly use?: Partial<Memory['use']>
  readonly signals?: Partial<Memory['signals']>
}

/** The source of memories made by tests. */
export const ORIGIN: Origin = { preset: 'test', step: 'test/1', promptVersion: null, model: null }

/** Makes a live utterance of round 1 in session 1, never recalled, for tests. */
export function makeMemory({ use, signals, ...traits }: MemoryTraits = {}): Memory {
  return {
    ...BLANK,
    id: 'm1',
    scope: 1,
    form: 'utterance',
    text: 'We adopted a puppy called Milo.',
    label: 'user-stated',
    session: 's1',
    sessionNumber: 1,
    round: 1,
    origin: { preset: 'test', step: 'pair/1', promptVersion: null, model: null },
    ...traits,
    signals: { ...BLANK.signals, ...signals },
    use: { ...BLANK.use, lastSession: 1, ...use },
  }
}

/** Makes a live fact about the user for tests, from turn t1, valid since 100. */
export function makeFact(traits: MemoryTraits = {}): Memory {
  const evidence = [{ turn: 't1', quote: null }]
  const text = 'The user lives in Lyon.'
  return makeMemory({ form: 'fact', type: 'persona', text, evidence, validFrom: 100, ...traits })
}

/** Makes a statement about the user for tests, from turn t2, valid since 200. */
export function makeCandidate(traits: Partial<Candidate> = {}): Candidate {
  const evidence = [{ turn: 't2', quote: null }]
  const text = 'The user lives in Paris.'
  return candidateOf({ type: 'persona', text, evidence, validFrom: 200, ...traits })
}

/** Makes a change set that knows these memories, with ids that count up, for tests. */
export function changesOver(memories: readonly Memory[]): ChangeSet {
  const known = new Map(memories.map((memory) => [memory.id, memory]))
  let next = 0
  return new ChangeSet(
    { scope: 1, at: 5_000, sessionNumber: 3, round: 9 },
    () => `id-${(next += 1)}`,
    (id) => known.get(id),
  )
}
