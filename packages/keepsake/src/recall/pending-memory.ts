import type { Memory } from '../memories/memory.ts'
import type { Engine } from '../work/engine.ts'
import { originOf } from '../work/scope-view.ts'
import type { KnownTurn } from '../work/owner-cache.ts'

/** A turn that waits for consolidation, in the shape of the memory it may become. It is in no log, and its id does not last. */
export function pendingMemory(engine: Engine, turn: KnownTurn | undefined): Memory {
  const evidence = turn === undefined ? [] : [{ turn: turn.id, quote: null }]
  return {
    id: `pending:${turn?.id ?? ''}`,
    scope: turn?.scope ?? 0,
    form: 'utterance',
    type: 'event',
    subject: turn?.role ?? 'other',
    text: '',
    key: null,
    value: null,
    level: 0,
    label: turn?.role === 'user' ? 'user-stated' : turn?.role === 'agent' ? 'agent-stated' : 'other',
    evidence,
    sources: [],
    status: 'live',
    reason: null,
    pinned: false,
    learnedAt: 0,
    validFrom: 0,
    validUntil: null,
    past: [],
    session: turn?.session ?? '',
    sessionNumber: 0,
    round: 0,
    signals: { arousal: null, surprise: null, importance: null },
    use: { first: 0, second: 0, rounds: [], lastSession: 0, lastAt: 0 },
    origin: originOf(engine, 'pending'),
    name: null,
    metadata: null,
  }
}
