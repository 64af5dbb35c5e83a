import { openMemory, openSqliteStore, type Store } from 'keepsake'
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
  /** Of this process since it was open, and had done once what it does once. */
  readonly cpu_ms: number
  readonly held: readonly Held[]
}

/** People whom a server hears at a time. */
const AT_A_TIME = 8

const now = (): number => performance.timeOrigin + performance.now()

/** Notes whose work it held when. */
function watched(store: Store, held: Held[]): Store {
  const begun = new Map<string, { owner: number; from: number }>()
  return {
    ...store,
    // Each is given back by a call, at which it is noted.
    endsClaims: false,
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

/** What a process does once (loading the model of meaning) is nobody's work. */
async function warmUp(): Promise<void> {
  const keepsake = await openMemory({ store: await openSqliteStore({ path: ':memory:' }) })
  await keepsake.scope({ user: 'nobody' }).remember({ role: 'user', text: 'I work as a baker.' })
  await keepsake.drain()
  await keepsake.close()
}

async function share(request: ShareRequest): Promise<void> {
  const { openPostgresStore } = await import('@keepsake/postgres')
  const { address: connectionString, schema, users, rounds } = request
  const held: Held[] = []
  const store = await openPostgresStore({ connectionString, schema, connections: 8 })
  const keepsake = await openMemory({ store: watched(store, held) })
  await warmUp()
  const before = process.cpuUsage()
  let remembered = 0
  const talkWith = async (some: readonly string[]): Promise<void> => {
    for (let round = 0; round < rounds; round += 1)
      for (const user of some) {
        const text = `Round ${round}: I moved to Lyon with ${user}'s ${round} cats, and I work as a baker.`
        const turns = [
          { role: 'user', text },
          { role: 'agent', text: 'How lovely!' },
        ] as const
        await keepsake.scope({ user }).remember([...turns], { session: 's1' })
        remembered += turns.length
      }
  }
  const lanes = Array.from({ length: AT_A_TIME }, (_, lane) =>
    users.filter((_user, index) => index % AT_A_TIME === lane),
  )
  answerFurther(async (what) => {
    if (what === 'talk') return Promise.all(lanes.map(talkWith))
    await keepsake.close()
    const { user, system } = process.cpuUsage(before)
    return { remembered, held, cpu_ms: (user + system) / 1_000 } satisfies Shared
  })
  tellParent('open')
}

if (isChild(import.meta.url)) await share(JSON.parse(process.argv[2] ?? '{}') as ShareRequest)
