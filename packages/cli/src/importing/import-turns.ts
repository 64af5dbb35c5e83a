import type { Keepsake, Remembered, ScopedMemory } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import { given } from '../given.ts'
import type { Progress } from '../output/progress.ts'
import type { SharedOptions } from '../shared-options.ts'
import type { ImportSource, PlacedTurn } from './import-source.ts'

/** Turns recorded in one transaction: a durable write costs the same for one and for many. */
const BATCH = 500

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

interface ImportOptions extends Readonly<SharedOptions['person']> {
  /** Whether more of the last session is to follow. */
  readonly keepOpen?: boolean
}

/** Records the turns of the sources in their order, ending each session when the next begins. */
export async function importTurns(
  memory: Keepsake,
  sources: readonly ImportSource[],
  options: ImportOptions,
  progress: Progress,
): Promise<ImportResult> {
  const result: ImportResult = { added: 0, repeated: 0, sessions: 0, masked: {}, users: [] }
  const users = new Set<string>()
  const sessions = new Set<string>()
  for (const source of sources) {
    progress.start(source.name, source.total)
    let open: { readonly name: string; readonly end: () => Promise<void> } | null = null
    for await (const batch of batches(source.turns())) {
      const scope = scopeOf(memory, source, batch[0], options)
      const remembered = await scope.remember(
        batch.map(({ turn }) => turn),
        given({ session: batch[0].session ?? undefined }),
      )
      count(result, remembered)
      users.add(scope.key.user)
      const { session } = remembered
      if (session !== null) {
        const name = JSON.stringify([scope.key, session])
        if (open !== null && open.name !== name) await open.end()
        open = { name, end: () => scope.endSession(session) }
        sessions.add(name)
      }
      progress.add(batch.length)
    }
    if (options.keepOpen !== true) await open?.end()
  }
  progress.stop()
  return { ...result, sessions: sessions.size, users: [...users] }
}

/** Turns that follow each other and belong together. */
async function* batches(
  turns: Iterable<PlacedTurn> | AsyncIterable<PlacedTurn>,
): AsyncGenerator<[PlacedTurn, ...PlacedTurn[]]> {
  let batch: [PlacedTurn, ...PlacedTurn[]] | null = null
  for await (const placed of turns) {
    if (batch !== null && batch.length < BATCH && isTogether(batch[0], placed)) batch.push(placed)
    else {
      if (batch !== null) yield batch
      batch = [placed]
    }
  }
  if (batch !== null) yield batch
}

const isTogether = (one: PlacedTurn, other: PlacedTurn): boolean =>
  (['user', 'agent', 'app', 'session'] as const).every((name) => one[name] === other[name])

function scopeOf(
  memory: Keepsake,
  source: ImportSource,
  placed: PlacedTurn,
  { user = placed.user ?? undefined, tenant, agent, app }: ImportOptions,
): ScopedMemory {
  if (user === undefined) {
    throw wrongUsage(
      `${source.name} does not say whose memory it is: name the person with --user, or give each line a "user".`,
    )
  }
  const within = { tenant, agent: agent ?? placed.agent ?? undefined, app: app ?? placed.app ?? undefined }
  return memory.scope({ user, ...given(within) })
}

function count(result: ImportResult, { turns, added, masked }: Remembered): void {
  result.added += added
  result.repeated += turns.length - added
  for (const { kind, count: times } of masked) result.masked[kind] = (result.masked[kind] ?? 0) + times
}
