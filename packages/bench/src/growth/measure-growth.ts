import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openMemory, type Keepsake, type ScopedMemory } from 'keepsake'
import type { Figure } from '../log/figure.ts'
import { questionGenerator } from '../perf/generate.ts'
import { round, timeFigures } from '../perf/time-calls.ts'
import { processUsage } from '../processes/process-usage.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { talkGenerator, type Talk } from './talk.ts'

const TURNS_PER_CALL = 100
const TURNS_PER_SESSION = 1_000
const MEASURED_TURNS = 500

export interface GrowthConfig {
  readonly folder: string
  readonly seed: number
}

function open({ folder }: GrowthConfig, name: string, retention = NEVER): Promise<Keepsake> {
  return openMemory({ path: join(folder, `${name}.db`), synchronous: 'normal', retention })
}

type Retention = NonNullable<Parameters<typeof openMemory>[0]['retention']>
const NEVER: Retention = { when: 'never' }

/** Processor time and time that a piece of work took, a turn each. */
async function timed(
  name: string,
  turns: number,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const [before, start] = [processUsage().cpuMs, performance.now()]
  await work()
  return {
    [`${name}_cpu_per_turn_ms`]: round((processUsage().cpuMs - before) / turns),
    [`${name}_per_turn_ms`]: round((performance.now() - start) / turns),
  }
}

/** Tells a person so many turns, in calls of many, in sessions of a thousand. */
class Teller {
  readonly #scope: ScopedMemory
  readonly #nextTurn: ReturnType<typeof talkGenerator>
  told = 0

  constructor(scope: ScopedMemory, talk: Talk, seed: number) {
    this.#scope = scope
    this.#nextTurn = talkGenerator(talk, seed)
  }

  async tell(turns: number): Promise<void> {
    for (let left = turns; left > 0; left -= TURNS_PER_CALL) {
      const session = `session-${Math.floor(this.told / TURNS_PER_SESSION)}`
      const some = Array.from({ length: Math.min(left, TURNS_PER_CALL) }, this.#nextTurn)
      await this.#scope.remember(some, { session })
      this.told += some.length
    }
  }
}

/** What reading 500 turns costs a person who has said so much before. */
export async function measurePast(
  config: GrowthConfig,
  {
    talk,
    sizes,
    say,
  }: { readonly talk: Talk; readonly sizes: readonly number[]; readonly say: (what: string) => void },
): Promise<Figure[]> {
  const memory = await open(config, `past-${talk}`)
  const figures: Figure[] = []
  try {
    const teller = new Teller(memory.scope({ user: 'person' }), talk, config.seed)
    for (const size of sizes.toSorted((one, other) => one - other)) {
      say(`${talk}, up to ${size} turns`)
      while (teller.told < size - MEASURED_TURNS) {
        await teller.tell(Math.min(5_000, size - MEASURED_TURNS - teller.told))
        await memory.drain()
      }
      const remember = await timed('remember', MEASURED_TURNS, () => teller.tell(MEASURED_TURNS))
      const read = await timed('read', MEASURED_TURNS, () => memory.drain())
      figures.push(...plainFigures('speed', `${talk} turns:${size}`, { ...remember, ...read }))
    }
    return figures
  } finally {
    await memory.close()
  }
}

/** What one turn of one person among many costs: told, then read. */
export async function measureSingles(
  config: GrowthConfig,
  { talk, people, past }: { readonly talk: Talk; readonly people: number; readonly past: number },
): Promise<Figure[]> {
  const memory = await open(config, `singles-${talk}`)
  try {
    const tellers = Array.from({ length: people }, (_, person) => {
      return new Teller(memory.scope({ user: `person-${person}` }), talk, config.seed + person)
    })
    for (const teller of tellers) await teller.tell(past)
    await memory.drain()
    const tellOne = async (): Promise<void> => {
      for (const teller of tellers) await teller.tell(1)
    }
    for (let warm = 0; warm < 4; warm += 1) {
      await tellOne()
      await memory.drain()
    }
    const sums: Record<string, number> = {}
    const ROUNDS = 10
    for (let done = 0; done < ROUNDS; done += 1) {
      const remember = await timed('remember', people, tellOne)
      const read = await timed('read', people, () => memory.drain())
      for (const [name, value] of Object.entries({ ...remember, ...read }))
        sums[name] = (sums[name] ?? 0) + value / ROUNDS
    }
    const means = Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, round(value)]))
    return plainFigures('speed', `${talk}, a turn of each of ${people} people`, means)
  } finally {
    await memory.close()
  }
}

/** What turns cost under a capacity, and how much is held, as three times as much is told as has room. */
export async function measureCapacity(
  config: GrowthConfig,
  {
    talk,
    memories,
    say,
  }: { readonly talk: Talk; readonly memories: number; readonly say: (what: string) => void },
): Promise<Figure[]> {
  const memory = await open(config, `capacity-${talk}`, { when: 'capacity', memories, slack: 0.05 })
  const figures: Figure[] = []
  try {
    const teller = new Teller(memory.scope({ user: 'person' }), talk, config.seed)
    // A round, which is one utterance, takes two turns.
    for (let share = 1; share <= 3; share += 1) {
      say(`${talk}, ${share} times the capacity`)
      const turns = 2 * memories
      const told = await timed('remember', turns, () => teller.tell(turns))
      const read = await timed('read', turns, () => memory.drain())
      const { memories: held } = await memory.stats()
      const size = { live: held.live, resident_bytes: process.memoryUsage().rss }
      figures.push(
        ...plainFigures('speed', `${talk}, told ${share} times a capacity of ${memories}`, {
          ...told,
          ...read,
          ...size,
        }),
      )
    }
    return figures
  } finally {
    await memory.close()
  }
}

const RECALL_EVERY_MS = 5
const FACT_EVERY_MS = 500

/** One person says much, of the kind that costs most; meanwhile another tells facts and recalls. */
export async function measureFairness(
  config: GrowthConfig,
  { turns }: { readonly turns: number },
): Promise<Figure[]> {
  const memory = await open(config, 'fair')
  try {
    const ana = memory.scope({ user: 'ana' })
    const nextQuestion = questionGenerator(config.seed)
    await new Teller(ana, 'rich', config.seed + 1).tell(1_000)
    await memory.drain()
    await ana.recall(nextQuestion(), { reinforce: false })
    await new Teller(memory.scope({ user: 'crowd' }), 'greedy', config.seed).tell(turns)
    const busy = { still: true }
    const read = timed('read', turns, () => memory.drain()).finally(() => (busy.still = false))
    const waited = factDelays(memory, () => busy.still)
    const recalls: number[] = []
    while (busy.still) {
      const due = performance.now() + RECALL_EVERY_MS
      await wait(RECALL_EVERY_MS)
      await ana.recall(nextQuestion(), { reinforce: false })
      // From when it was due: what held the event loop counts.
      recalls.push(performance.now() - due)
    }
    const slice = `while another’s ${turns} turns are read`
    return [
      ...plainFigures('speed', slice, await read),
      ...timeFigures(slice, 'recall', recalls),
      ...timeFigures(slice, 'fact', await waited),
    ]
  } finally {
    await memory.close()
  }
}

/** How long it takes until what somebody tells is a fact, again and again. */
async function factDelays(memory: Keepsake, isBusy: () => boolean): Promise<number[]> {
  const ben = memory.scope({ user: 'ben' })
  const delays: number[] = []
  for (let told = 0; isBusy(); told += 1) {
    const start = performance.now()
    const { promise, resolve } = Promise.withResolvers<void>()
    const listener = ({
      scope,
      memory: added,
    }: {
      scope: { user: string }
      memory: { form: string }
    }): void => {
      if (scope.user === 'ben' && added.form === 'fact') resolve()
    }
    memory.on('memory-added', listener)
    await ben.remember([
      { role: 'user', text: `I like thing${told}.` },
      { role: 'agent', text: 'Good.' },
    ])
    await promise
    memory.off('memory-added', listener)
    delays.push(performance.now() - start)
    await wait(FACT_EVERY_MS)
  }
  return delays
}
