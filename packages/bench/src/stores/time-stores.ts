import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory, openSqliteStore, type Store } from 'keepsake'
import type { Figure } from '../log/figure.ts'
import { seededRandom } from '../metrics/seeded-random.ts'
import { questionGenerator, turnGenerator } from '../perf/generate.ts'
import { PersonCopy } from '../perf/person-copy.ts'
import { quantilesNamed, round } from '../perf/time-calls.ts'
import { Child } from '../processes/child.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { ASK_CHILD, RETENTION, type AskedRecall, type AskRequest } from './ask-store-child.ts'
import type { PostgresStores } from './open-postgres.ts'

export interface Load {
  /** Of the database. */
  readonly address: string
  readonly people: number
  /** Turns of each, all of one user, so that each is one memory. */
  readonly turns: number
  /** People who are asked about, each once in each round. */
  readonly calls: number
  readonly seed: number
  /** Where the file lies meanwhile. */
  readonly folder?: string | undefined
  readonly say?: (what: string) => void
}

const SIDES = ['file', 'postgres'] as const
type Side = (typeof SIDES)[number]
type Both<Of> = Readonly<Record<Side, Of>>

/** People who are told turns of their own; the others are copies of them. */
const TOLD = 20
/** People written to Postgres at a time. */
const AT_A_TIME = 4

/**
 * The same people on a file and on Postgres. Then the same questions are asked of both, in turns, so that both meet what else the machine
 * does, and each by a process of its own, so that neither waits for what the other does in the background: of people who were never read
 * (`first_recall`), of the same people by a process that has just begun (`cold_recall`), and of people whom it has in memory (`recall`).
 */
export async function timeStores(postgres: PostgresStores, load: Load): Promise<Both<Figure[]>> {
  const folder = await mkdtemp(join(load.folder ?? tmpdir(), 'keepsake-stores-'))
  const path = join(folder, 'memory.db')
  const kept = await postgres.keep()
  const open: Both<() => Promise<Store>> = {
    file: () => openSqliteStore({ path, synchronous: 'normal' }),
    postgres: kept.open,
  }
  const places: Both<AskRequest> = {
    file: { path },
    postgres: { address: load.address, schema: kept.schema },
  }
  try {
    const filled = await fill(open, load)
    const first = await asked(places, load, ['first_recall'])
    const later = await asked(places, load, ['cold_recall', 'recall'])
    const of = (side: Side): Record<string, number> => ({ ...filled[side], ...first[side], ...later[side] })
    const [file, others] = [of('file'), of('postgres')]
    const slice = `memories:${load.people * load.turns}`
    return {
      file: plainFigures('stores', slice, file),
      postgres: plainFigures('stores', slice, { ...others, ...ratios(file, others) }),
    }
  } finally {
    await kept.drop()
    await rm(folder, { recursive: true })
  }
}

/** How many times as long it takes, for each time of a recall. */
function ratios(
  file: Readonly<Record<string, number>>,
  others: Readonly<Record<string, number>>,
): Record<string, number> {
  const named = Object.keys(others).filter((name) => /recall_p\d+_ms$/.test(name))
  return Object.fromEntries(
    named.map((name) => [
      name.replace(/_ms$/, '_times_the_file'),
      round((others[name] ?? 0) / (file[name] ?? 0)),
    ]),
  )
}

function nameOf(person: number): string {
  return `person ${person}`
}

async function fill(
  open: Both<() => Promise<Store>>,
  { people, turns, seed, say }: Load,
): Promise<Both<Record<string, number>>> {
  const stores: Both<Store> = { file: await open.file(), postgres: await open.postgres() }
  const told = Math.min(TOLD, people)
  const keepsake = await openMemory({ store: stores.file, retention: RETENTION })
  for (let person = 0; person < told; person += 1) {
    const nextTurn = turnGenerator(seed + person)
    await keepsake
      .scope({ user: nameOf(person) })
      .remember(Array.from({ length: turns }, nextTurn), { session: 's1' })
  }
  await keepsake.drain()
  const copies = Array.from({ length: told }, (_, person) => new PersonCopy(stores.file, nameOf(person)))
  const give = (to: Store, person: number): Promise<void> | undefined =>
    copies[person % told]?.giveTo(to, nameOf(person))
  const started = performance.now()
  for (let person = told; person < people; person += 1) await give(stores.file, person)
  const file_ms = performance.now() - started
  say?.('filled the file')
  let next = 0
  const giveOn = async (): Promise<void> => {
    for (let person = next++; person < people; person = next++) {
      await give(stores.postgres, person)
      if (person % 1_000 === 999) say?.(`filled ${person + 1} people of Postgres`)
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, giveOn))
  const postgres_ms = performance.now() - started - file_ms
  await keepsake.close()
  await stores.postgres.close()
  return { file: { fill_ms: round(file_ms) }, postgres: { fill_ms: round(postgres_ms) } }
}

/** Opens both anew and asks the same people the same, once for each name. */
async function asked(
  places: Both<AskRequest>,
  { people, calls, seed, say }: Load,
  rounds: readonly string[],
): Promise<Both<Record<string, number>>> {
  const children: Both<Child> = {
    file: new Child(ASK_CHILD, places.file),
    postgres: new Child(ASK_CHILD, places.postgres),
  }
  const figures: Both<Record<string, number>> = { file: {}, postgres: {} }
  try {
    await Promise.all(SIDES.map((side) => children[side].started))
    const nextQuestion = questionGenerator(seed)
    for (const name of rounds) {
      const times: Both<number[]> = { file: [], postgres: [] }
      for (const person of drawPeople(people, calls, seed)) {
        const recall: AskedRecall = { user: nameOf(person), question: nextQuestion() }
        for (const side of SIDES)
          times[side].push((await children[side].ask(JSON.stringify(recall))) as number)
      }
      say?.(name)
      for (const side of SIDES) Object.assign(figures[side], quantilesNamed(name, times[side]))
    }
    for (const side of SIDES) await children[side].ask('close')
    return figures
  } finally {
    await Promise.all(SIDES.map((side) => children[side].release()))
  }
}

/** So many people, each once, in an order of chance: the same for the same seed. */
function drawPeople(people: number, calls: number, seed: number): number[] {
  const random = seededRandom(seed)
  const drawn = new Set<number>()
  while (drawn.size < Math.min(calls, people - 1)) drawn.add(1 + Math.floor(random() * (people - 1)))
  return [...drawn]
}
