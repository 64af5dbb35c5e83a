import { openMemory, type Store } from 'keepsake'
import { answerFurther, isChild, tellParent } from '../processes/child.ts'

/** What is started with a {@link ShareRequest}. */
export const SHARE_CHILD = import.meta.url

/** Somebody's work from claim to release, in milliseconds since 1970 by this machine's clock. */
export interface Held {
  readonly owner: number
  readonly from: number
  readonly to: number
}

export interface ShareRequest {
  readonly address: string
  readonly schema: string
  /** Whom it talks with; nobody makes it a worker alone. */
  readonly users: readonly string[]
  readonly rounds: number
}

export interface Shared {
  readonly remembered: number
  readonly held: readonly Held[]
}

const now = (): number => performance.timeOrigin + performance.now()

/** Notes whose work it held when. */
function watched(store: Store, held: Held[]): Store {
  const begun = new Map<string, { owner: number; from: number }>()
  return {
    ...store,
    claim: async (request) => {
      const result = await store.claim(request)
      if (result.outcome === 'claimed') begun.set(result.claim.id, { owner: result.claim.owner, from: now() })
      return result
    },
    release: async (claim) => {
      const one = begun.get(claim)
      if (one !== undefined) held.push({ ...one, to: now() })
      begun.delete(claim)
      await store.release(claim)
    },
  }
}

async function share(request: ShareRequest): Promise<void> {
  const { openPostgresStore } = await import('@keepsake/postgres')
  const { address: connectionString, schema, users, rounds } = request
  const held: Held[] = []
  const store = await openPostgresStore({ connectionString, schema, connections: 8 })
  const keepsake = await openMemory({ store: watched(store, held) })
  let remembered = 0
  const talk = async (): Promise<void> => {
    for (let round = 0; round < rounds; round += 1)
      for (const user of users) {
        const text = `Round ${round}: I moved to Lyon with ${user}'s ${round} cats, and I work as a baker.`
        const turns = [
          { role: 'user', text },
          { role: 'agent', text: 'How lovely!' },
        ] as const
        await keepsake.scope({ user }).remember([...turns], { session: 's1' })
        remembered += turns.length
      }
  }
  answerFurther(async (what) => {
    if (what === 'talk') return talk()
    await keepsake.close()
    return { remembered, held } satisfies Shared
  })
  tellParent('open')
}

if (isChild(import.meta.url)) await share(JSON.parse(process.argv[2] ?? '{}') as ShareRequest)
