import { BLANK, type Memory } from '../memories/memory.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { originOf } from '../work/scope-view.ts'

/** A turn that waits for consolidation, in the shape of the memory it may become. It is in no log, and its id does not last. */
export function pendingMemory(
  engine: Engine,
  turn: Pick<Turn, 'id' | 'scope' | 'session' | 'role'> | undefined,
): Memory {
  return {
    ...BLANK,
    id: `pending:${turn?.id ?? ''}`,
    scope: turn?.scope ?? 0,
    form: 'utterance',
    subject: turn?.role ?? 'other',
    label: turn?.role === 'user' ? 'user-stated' : turn?.role === 'agent' ? 'agent-stated' : 'other',
    evidence: turn === undefined ? [] : [{ turn: turn.id, quote: null }],
    session: turn?.session ?? '',
    origin: originOf(engine, 'pending'),
  }
}
