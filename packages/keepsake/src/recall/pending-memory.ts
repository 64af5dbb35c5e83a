import { candidateOf } from '../memories/candidate.ts'
import { memoryOf } from '../memories/make-memory.ts'
import type { GroundingLabel, Memory } from '../memories/memory.ts'
import type { Role } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { originOf } from '../work/scope-view.ts'
import type { KnownTurn } from '../work/owner-cache.ts'

const LABELS: Readonly<Record<Role, GroundingLabel>> = {
  user: 'user-stated',
  agent: 'agent-stated',
  other: 'other',
}

/** A turn that waits for consolidation, in the shape of the memory it may become. It is in no log, and its id does not last. */
export function pendingMemory(engine: Engine, turn: KnownTurn | undefined): Memory {
  const evidence = turn === undefined ? [] : [{ turn: turn.id, quote: null }]
  const subject = turn?.role ?? 'other'
  const candidate = candidateOf({
    form: 'utterance',
    subject,
    evidence,
    label: LABELS[subject],
    validFrom: 0,
  })
  const setting = { session: turn?.session ?? '', sessionNumber: 0, round: 0, learnedAt: 0 }
  return {
    ...memoryOf(candidate, setting),
    id: `pending:${turn?.id ?? ''}`,
    scope: turn?.scope ?? 0,
    origin: originOf(engine, 'pending'),
  }
}
