import type { MemoryForm, ScopeRow } from 'keepsake'
import type { ProcessHolder } from 'keepsake/store-kit'
import { type Action, allows, requireAccess, type ServerDeps, type ServerRequest } from '@keepsake/server'
import type { Adding } from './add-messages.ts'
import { personOf, tenantOf } from './mem0-names.ts'

/** What all handlers of this door share. */
export interface Mem0Door {
  readonly deps: ServerDeps
  /** Adds that are under way or were a moment ago, by all that their requests say. */
  readonly recent: Map<string, Adding>
  /** Adds that nobody waited for and that this process ends, by the id of their event. */
  readonly unawaited: Map<string, Adding>
  /** By which other processes know whether this one will. */
  readonly holder: ProcessHolder
}

/** Scopes of everybody in the request's tenant whom its key opens. @throws Problem 403 for a key without the action or the tenant. */
export async function openRows(
  { deps }: Mem0Door,
  c: ServerRequest,
  action: Action,
): Promise<readonly ScopeRow[]> {
  const tenant = tenantOf(c)
  const grant = c.get('grant')
  requireAccess(c, action, { tenant, user: grant.users?.[0] ?? '' })
  return (await deps.keepsake.scopes({ tenant })).filter((row) => allows(grant, action, personOf(row)))
}

/** The forms that this door calls memories: those that are recalled. Stories, summaries and portraits are made of them. */
export function shownForms({ keepsake }: ServerDeps): readonly MemoryForm[] {
  return [...keepsake.preset.recalls, 'note']
}
