import type { Turn } from './turn.ts'

/** Makes a user's turn at noon of 5 March 2026, a Thursday, for tests. */
export function makeTurn(traits: Partial<Turn> = {}): Turn {
  return {
    id: 't1',
    scope: 1,
    session: 's1',
    position: 0,
    role: 'user',
    speaker: null,
    text: 'We adopted a puppy called Milo.',
    at: Date.UTC(2026, 2, 5, 12),
    timeZone: null,
    metadata: null,
    ...traits,
  }
}
