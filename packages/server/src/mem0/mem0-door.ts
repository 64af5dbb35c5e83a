import type { MemoryForm, ScopeKey, ScopeRow } from 'keepsake'
import { Problem } from '../problem.ts'
import type { ServerDeps, ServerRequest } from '../server-context.ts'
import type { ChangeWatch } from './watch-changes.ts'
import type { Mem0Events } from './mem0-events.ts'
import type { Mem0Notes, Person } from './mem0-notes.ts'

/** What all handlers of this door share. */
export interface Mem0Door {
  readonly deps: ServerDeps
  readonly notes: Mem0Notes
  readonly changes: ChangeWatch
  readonly events: Mem0Events
  readonly queue: PersonQueue
}

export const DEFAULT_TENANT = 'default'

/**
 * Mem0 knows organisations and projects by the key alone, and so it is here: a key that opens one tenant means that one.
 * For a key that opens several, the header `X-Keepsake-Tenant` says which (percent-encoded); without it, the default tenant is meant.
 */
export function tenantOf(c: ServerRequest): string {
  const named = c.req.header('x-keepsake-tenant')
  if (named !== undefined && named.trim() !== '') return decodeTenant(named)
  const { tenants } = c.get('grant')
  const [only] = tenants ?? []
  return tenants?.length === 1 && only !== undefined ? only : DEFAULT_TENANT
}

function decodeTenant(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch (cause) {
    const problem = 'is not percent-encoded UTF-8: write encodeURIComponent(name), a percent sign as %25'
    throw new Problem(400, 'invalid-input', `The header X-Keepsake-Tenant ${problem}.`, {
      fields: [{ field: 'header.x-keepsake-tenant', problem }],
      cause,
    })
  }
}

/** The forms that this door calls memories: those that are recalled. Stories, summaries and portraits are made of them. */
export function shownForms({ deps }: Mem0Door): readonly MemoryForm[] {
  return deps.keepsake.preset.recalls
}

/**
 * Presets without a branch for utterances keep only what is drawn from what was said.
 *
 * @throws Problem 409 where words are not kept as they are.
 */
export function requireUtterances({ deps }: Mem0Door): void {
  const { name, branches } = deps.keepsake.preset
  if (branches.some((branch) => branch.kind === 'utterances')) return
  throw new Problem(
    409,
    'not-possible',
    `The preset ${name} of this server keeps no words as they are: they would be lost. Leave infer: false out, or serve with another preset.`,
  )
}

/** The key of exactly a stored scope; for one without agent and app, of the whole person. */
export function keyOf({ tenant, user, agent, app }: ScopeRow): ScopeKey {
  return { tenant, user, ...(agent === null ? {} : { agent }), ...(app === null ? {} : { app }) }
}

export function personOf(key: ScopeKey): Person {
  return { tenant: key.tenant ?? DEFAULT_TENANT, user: key.user }
}

/** Has what rewrites a person's notes done one after another. */
export class PersonQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<Value>({ tenant, user }: Person, work: () => Promise<Value>): Promise<Value> {
    const key = JSON.stringify([tenant, user])
    const before = this.#last.get(key) ?? Promise.resolve()
    const running = before.then(work, work)
    this.#last.set(key, running)
    try {
      return await running
    } finally {
      if (this.#last.get(key) === running) this.#last.delete(key)
    }
  }
}
