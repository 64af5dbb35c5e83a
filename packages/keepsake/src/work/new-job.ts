import type { ScopeRow } from '../scopes/scope.ts'
import type { JobKind, NewJob } from '../store/store.ts'
import type { Engine } from './engine.ts'

/** A job of a scope, or of one of its sessions. */
export function newJob(
  engine: Pick<Engine, 'newId' | 'now'>,
  row: ScopeRow,
  kind: JobKind,
  session: string | null = null,
): NewJob {
  return { id: engine.newId(), kind, scope: row.scope, session, at: engine.now() }
}
