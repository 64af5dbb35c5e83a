import type { Change } from 'keepsake'
import type { ServerDeps } from '../server-context.ts'
import type { EngineEvent } from '../workers/messages.ts'
import type { Elsewhere } from './event-feed.ts'

/**
 * What happens to the same memory in other processes: beside this one, as they tell it themselves; on other machines, as far as it is kept
 * and the store hears of it.
 */
export function hearElsewhere({ keepsake, siblings }: Pick<ServerDeps, 'keepsake' | 'siblings'>): Elsewhere {
  return {
    listen: (listener, wants) => {
      const unlisten = siblings?.events.listen(listener)
      const unfollow = keepsake.follow({ tell: (change) => tellAll(change, listener), wants })
      return () => {
        unlisten?.()
        unfollow()
      }
    },
  }
}

function tellAll({ event, told }: Change, listener: (event: EngineEvent) => void): void {
  // A memory that was erased since is told by its erasure, and how long it took elsewhere is not kept.
  if ('memory' in told && told.memory === null) return
  const timed = event === 'turns-recorded' ? { ...told, milliseconds: 0 } : told
  listener({ event, told: timed } as EngineEvent)
}
