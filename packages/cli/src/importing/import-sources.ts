import {
  LeftOut,
  TurnImport,
  type ImportResult,
  type ImportSource,
  type PlacedTurn,
} from '@keepsake/importing'
import type { Keepsake, ScopedMemory } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import { given } from '../given.ts'
import type { Progress } from '../output/progress.ts'
import type { SharedOptions } from '../shared-options.ts'

interface ImportOptions extends Readonly<SharedOptions['person']> {
  /** Whether the last session continues later. */
  readonly keepOpen?: boolean
}

/** Records the sources' turns in order, each source with its count. */
export async function importSources(
  memory: Keepsake,
  sources: readonly (ImportSource & { readonly total: number })[],
  options: ImportOptions,
  progress: Progress,
): Promise<ImportResult> {
  let name = ''
  const turns = new TurnImport({
    scopeOf: (placed) => scopeOf(memory, name, placed, options),
    sessionGap: memory.preset.sessionGap,
    ...given({ keepOpen: options.keepOpen }),
    onRecorded: (count) => progress.add(count),
  })
  for (const source of sources) {
    name = source.name
    progress.start(name, source.total)
    await turns.record(source.turns(new LeftOut()))
  }
  progress.stop()
  return turns.result
}

function scopeOf(
  memory: Keepsake,
  source: string,
  placed: PlacedTurn,
  { user = placed.user ?? undefined, tenant, agent, app }: ImportOptions,
): ScopedMemory {
  if (user === undefined) throw wrongUsage(`${source} does not name a user: set one with --user.`)
  const within = { tenant, agent: agent ?? placed.agent ?? undefined, app: app ?? placed.app ?? undefined }
  return memory.scope({ user, ...given(within) })
}
