import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMemory, type Keepsake } from 'keepsake'
import { turnGenerator } from '../perf/generate.ts'
import { quantilesNamed, round } from '../perf/time-calls.ts'

interface ErasingPlan {
  readonly megabytes: number
  readonly seed: number
  readonly say: (what: string) => void
}

const FROM = Date.UTC(2025, 0, 1)
const TURNS_AT_A_TIME = 500
const PEOPLE = 50
const MEGABYTE = 1_000_000
const CALM_MS = 3_000
const PATIENCE_MS = 30 * 60_000
const WORD = 'zanzibarwedding'

/** Fills a file, erases a turn of it, and times what others do meanwhile. */
export async function measureErasing(path: string, plan: ErasingPlan): Promise<Record<string, number>> {
  plan.say(`filling ${plan.megabytes} MB`)
  await fill(path, plan)
  const keepsake = await openMemory({ path })
  try {
    const person = keepsake.scope({ user: 'person-0' })
    await person.remember({ role: 'user', text: `The ${WORD} was on a Tuesday.`, id: 'secret' })
    await keepsake.drain()
    plan.say('before')
    const before = await watchOthers(keepsake, () => sleep(CALM_MS))
    plan.say('erasing')
    const began = performance.now()
    let id = ''
    let acknowledged = 0
    keepsake.on('scope-erased', ({ receipt }) => {
      id = receipt.id
      acknowledged = performance.now() - began
    })
    const during = await watchOthers(keepsake, async () => {
      await person.erase({ turns: ['secret'] })
      await keepsake.erasure(id, PATIENCE_MS)
    })
    return {
      bytes: (await keepsake.stats()).bytes,
      acknowledged_ms: round(acknowledged),
      proven_ms: round(performance.now() - began),
      ...named('before', before),
      ...named('during', during),
      files_with_erased: await countFilesWith(dirname(path), WORD),
    }
  } finally {
    await keepsake.close()
  }
}

async function fill(path: string, { megabytes, seed }: ErasingPlan): Promise<void> {
  const keepsake = await openMemory({ path, synchronous: 'normal' })
  const nextTurn = turnGenerator(seed, FROM)
  const room = ' and so it went on'.repeat(40)
  const next = () => {
    const turn = nextTurn()
    return { ...turn, text: `${turn.text}${room}` }
  }
  for (let part = 0; (await stat(path)).size < megabytes * MEGABYTE; part++) {
    const turns = Array.from({ length: TURNS_AT_A_TIME }, next)
    await keepsake.scope({ user: `person-${part % PEOPLE}` }).remember(turns, { session: `part-${part}` })
  }
  await keepsake.close()
}

interface Waited {
  readonly recall: number[]
  readonly remember: number[]
  readonly loop: number[]
}

/** What another person's calls and the event loop took while something was done. */
async function watchOthers(keepsake: Keepsake, work: () => Promise<unknown>): Promise<Waited> {
  const waited: Waited = { recall: [], remember: [], loop: [] }
  const other = keepsake.scope({ user: 'bystander' })
  let isOver = false
  const timed = async (times: number[], rest: number, call: (index: number) => Promise<unknown>) => {
    for (let index = 0; !isOver; index++) {
      const began = performance.now()
      await call(index)
      times.push(performance.now() - began)
      await sleep(rest)
    }
  }
  const others = [
    timed(waited.recall, 10, () => other.recall('Which number did I say?')),
    timed(waited.remember, 20, (index) => other.remember({ role: 'user', text: `I say number ${index}.` })),
    timed(waited.loop, 0, async () => {
      await sleep(5)
    }),
  ]
  await work()
  isOver = true
  await Promise.all(others)
  return waited
}

function named(when: string, { recall, remember, loop }: Waited): Record<string, number> {
  return {
    ...quantilesNamed(`${when}_recall`, recall),
    ...quantilesNamed(`${when}_remember`, remember),
    [`${when}_loop_longest_ms`]: round(Math.max(...loop) - 5),
  }
}

async function countFilesWith(folder: string, word: string): Promise<number> {
  let count = 0
  for (const file of await readdir(folder)) if (await holds(join(folder, file), word)) count += 1
  return count
}

/** Piece by piece: a file may be larger than memory. */
async function holds(file: string, word: string): Promise<boolean> {
  let rest = ''
  for await (const piece of createReadStream(file, 'latin1') as AsyncIterable<string>) {
    if ((rest + piece).includes(word)) return true
    rest = piece.slice(-word.length)
  }
  return false
}
