import type { Keepsake, ScopedMemory } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import type { ScopeOptions } from '../common-options.ts'
import type { Progress } from '../output/progress.ts'
import type { ImportSource, TurnBatch } from './import-source.ts'

/** What an import did. */
export interface ImportResult {
  added: number
  /** Turns that were there already. */
  repeated: number
  sessions: number
  /** Secrets masked, by kind. */
  masked: Record<string, number>
  users: string[]
}

type Names = Pick<ScopeOptions, 'user' | 'tenant' | 'agent' | 'app'>

interface OpenSession {
  readonly scope: ScopedMemory
  readonly session: string
}

/** Records the turns of the sources in their order, ending each session when the next begins. */
export async function importTurns(
  memory: Keepsake,
  sources: readonly ImportSource[],
  names: Names,
  options: { readonly keepOpen: boolean; readonly progress: Progress },
): Promise<ImportResult> {
  const result: ImportResult = { added: 0, repeated: 0, sessions: 0, masked: {}, users: [] }
  const users = new Set<string>()
  const sessions = new Set<string>()
  for (const source of sources) {
    options.progress.start(source.name, source.total)
    let open: OpenSession | null = null
    for await (const batch of source.batches()) {
      const scope = scopeOf(memory, source, batch, names)
      const remembered = await scope.remember(
        batch.turns,
        batch.session === null ? {} : { session: batch.session },
      )
      count(result, remembered)
      users.add(scope.key.user)
      if (remembered.session !== null) {
        sessions.add(JSON.stringify([scope.key, remembered.session]))
        if (open !== null && !isSame(open, scope, remembered.session))
          await open.scope.endSession(open.session)
        open = { scope, session: remembered.session }
      }
      options.progress.add(batch.turns.length)
    }
    if (open !== null && !options.keepOpen) await open.scope.endSession(open.session)
  }
  options.progress.stop()
  return { ...result, sessions: sessions.size, users: [...users] }
}

const isSame = (open: OpenSession, scope: ScopedMemory, session: string): boolean =>
  open.session === session && JSON.stringify(open.scope.key) === JSON.stringify(scope.key)

function scopeOf(memory: Keepsake, source: ImportSource, batch: TurnBatch, names: Names): ScopedMemory {
  const user = names.user ?? batch.user
  if (user === null) {
    throw wrongUsage(
      `${source.name} does not say whose memory it is: name the person with --user, or give each line a "user".`,
    )
  }
  const agent = names.agent ?? batch.agent
  const { tenant } = names
  const app = names.app ?? batch.app ?? null
  return memory.scope({
    user,
    ...(tenant === undefined ? {} : { tenant }),
    ...(agent === null ? {} : { agent }),
    ...(app === null ? {} : { app }),
  })
}

function count(
  result: ImportResult,
  remembered: {
    readonly turns: readonly string[]
    readonly added: number
    readonly masked: readonly { readonly kind: string; readonly count: number }[]
  },
): void {
  result.added += remembered.added
  result.repeated += remembered.turns.length - remembered.added
  for (const { kind, count: times } of remembered.masked)
    result.masked[kind] = (result.masked[kind] ?? 0) + times
}
