import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory, type Keepsake, type OpenOptions } from 'keepsake'
import type { Figure } from '../log/figure.ts'
import { seededRandom } from '../metrics/seeded-random.ts'
import { questionGenerator, turnGenerator } from '../perf/generate.ts'
import { quantilesNamed, timeCalls } from '../perf/time-calls.ts'
import { plainFigures } from '../results/plain-figures.ts'
import type { PostgresStores } from './open-postgres.ts'

export interface Load {
  readonly people: number
  /** Turns of each, all of one user, so that each is one memory. */
  readonly turns: number
  readonly calls: number
  readonly seed: number
}

/** How the same people are filled, found cold and found warm, on a file and on Postgres. */
export async function timeStores(
  postgres: PostgresStores,
  load: Load,
): Promise<Record<'file' | 'postgres', Figure[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-stores-'))
  try {
    const file = await timeStore({ path: join(folder, 'memory.db') }, load)
    const store = await postgres.open()
    return { file, postgres: await timeStore({ store }, load) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function timeStore(place: Pick<OpenOptions, 'path' | 'store'>, load: Load): Promise<Figure[]> {
  const { people, turns, calls, seed } = load
  const keepsake = await openMemory({ ...place, retention: { when: 'never' } })
  try {
    const started = performance.now()
    const remembered = await fill(keepsake, load)
    await keepsake.drain()
    const fill_ms = performance.now() - started
    const nextQuestion = questionGenerator(seed)
    const recall = (person: number) => keepsake.scope({ user: nameOf(person) }).recall(nextQuestion())
    const first = await timeCalls((person) => recall(person), { calls: people, unmeasured: 0 })
    const random = seededRandom(seed)
    const later = await timeCalls(() => recall(Math.floor(random() * people)), { calls, unmeasured: people })
    const values = {
      fill_ms,
      ...quantilesNamed('remember', remembered),
      ...quantilesNamed('first_recall', first),
      ...quantilesNamed('recall', later),
    }
    return plainFigures('stores', `memories:${people * turns}`, values)
  } finally {
    await keepsake.close()
  }
}

function nameOf(person: number): string {
  return `person ${person}`
}

async function fill(keepsake: Keepsake, { people, turns, seed }: Load): Promise<number[]> {
  const times: number[] = []
  for (let person = 0; person < people; person += 1) {
    const nextTurn = turnGenerator(seed + person)
    const told = Array.from({ length: turns }, nextTurn)
    const scope = keepsake.scope({ user: nameOf(person) })
    const started = performance.now()
    await scope.remember(told, { session: 's1' })
    times.push(performance.now() - started)
  }
  return times
}
