import { Session, type Profiler } from 'node:inspector/promises'
import { moduleInBundle } from './module-in-bundle.ts'

/** Processor time by where it went: rooms of our packages, other packages, Node itself; in milliseconds. */
export type RoomTimes = Readonly<Record<string, number>>

const OUR_ROOM = /\/packages\/([\w-]+)\/(?:dist|src)\/(?:([\w-]+)\/)?/
const THEIR_PACKAGE = /\/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)(?=\/)/
/** A room that took less of the whole is told among the others. */
const LEAST_SHARE = 0.005

/** Takes a profile of this process from now on. @returns what ends it and tells where the time went */
export async function profileProcess(): Promise<() => Promise<RoomTimes>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  return async () => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    return timesByRoom(profile)
  }
}

/** What is native counts for whoever called it, as it does in their own time. */
export function timesByRoom({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): RoomTimes {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(
    nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)),
  )
  const rooms = new Map<number, string>()
  const roomOf = (id: number): string => {
    const known = rooms.get(id)
    if (known !== undefined) return known
    const node = byId.get(id)
    const own = node === undefined ? 'elsewhere' : ownRoom(node)
    const parent = parents.get(id)
    const room = own ?? (parent === undefined ? 'elsewhere' : roomOf(parent))
    rooms.set(id, room)
    return room
  }
  const times = new Map<string, number>()
  for (const [at, id] of samples.entries()) {
    const room = roomOf(id)
    if (room !== 'idle') times.set(room, (times.get(room) ?? 0) + (timeDeltas[at] ?? 0) / 1_000)
  }
  return gatherSmall(times)
}

/** `null`: that of whoever called it. */
function ownRoom({ callFrame: { functionName, url, lineNumber } }: Profiler.ProfileNode): string | null {
  if (functionName === '(idle)') return 'idle'
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (functionName === '(program)') return 'outside JavaScript'
  const theirs = [...url.matchAll(new RegExp(THEIR_PACKAGE, 'g'))].at(-1)?.[1]
  if (theirs !== undefined) return theirs
  const [, name, room] = OUR_ROOM.exec(moduleInBundle(url, lineNumber)) ?? []
  if (name !== undefined) return room === undefined ? name : `${name}/${room}`
  return url.startsWith('node:') ? 'node' : null
}

function gatherSmall(times: ReadonlyMap<string, number>): RoomTimes {
  const all = [...times.values()].reduce((sum, time) => sum + time, 0)
  const told: Record<string, number> = {}
  let small = 0
  for (const [room, time] of [...times].sort(([, one], [, other]) => other - one)) {
    if (time < all * LEAST_SHARE) small += time
    else told[room] = time
  }
  return small === 0 ? told : { ...told, others: small }
}
