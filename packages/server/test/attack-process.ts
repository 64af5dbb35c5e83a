import { constants, setPriority } from 'node:os'
import { ATTACKS, type Attacker } from './attacks.ts'

export interface AttackRequest {
  readonly name: string
  readonly url: string
  readonly key: string
  readonly seconds: number
}

/** Serves a database file, with the limits that `keepsake serve` has, until the process is killed. @returns its address */
async function serve(path: string): Promise<string> {
  // Loading takes seconds, and the attacking process needs neither.
  const [{ openMemory }, { openServer }] = await Promise.all([import('keepsake'), import('@keepsake/server')])
  const keepsake = await openMemory({ path, maxTurnLength: 100_000 })
  return (await openServer({ keepsake, port: 0 })).url
}

/** @returns how many requests were answered by each status; `none` where a connection broke */
async function attack({ name, url, key, seconds }: AttackRequest): Promise<Record<string, number>> {
  const run = ATTACKS[name]
  if (run === undefined) throw new Error(`There is no attack "${name}".`)
  // Making the requests happens on another machine in life: it must not slow the server here.
  setPriority(constants.priority.PRIORITY_LOW)
  const counts: Record<string, number> = {}
  const headers = { Authorization: `Bearer ${key}` }
  const send: Attacker['send'] = async (method, path, body) => {
    const type = path.endsWith('/import') ? 'application/x-ndjson' : 'application/json'
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
    const init: RequestInit = { headers: { ...headers, 'Content-Type': type }, body: sent }
    const response = await fetch(url + path, { ...init, method })
      .then(async (one) => new Response(one.status === 204 ? null : await one.arrayBuffer(), one))
      .catch(() => null)
    const status = String(response?.status ?? 'none')
    counts[status] = (counts[status] ?? 0) + 1
    return response
  }
  await run({ url, headers, send, until: performance.now() + seconds * 1_000 })
  return counts
}

const [role, argument = ''] = process.argv.slice(2)
const answer = role === 'serve' ? await serve(argument) : await attack(JSON.parse(argument) as AttackRequest)
process.send?.(answer)
