import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../metrics/seeded-random.ts'
import { quantilesNamed, round } from '../perf/time-calls.ts'
import { callDrawer, type LoadCall } from './draw-calls.ts'
import type { LoadPlan } from './load-plan.ts'

/** What came of a run: times are from the moment a call was due to its whole answer. */
export interface LoadRecord {
  readonly figures: Readonly<Record<string, number>>
  /** What went wrong, how often. */
  readonly errors: Readonly<Record<string, number>>
  /** Figures of each whole minute, of a run that is longer than one: whether it stays as fast. */
  readonly minutes: readonly Readonly<Record<string, number>>[]
}

const MINUTE = 60_000

/** Makes one call for one scope. Rejects with an error whose message says what kind of failure it was. */
export type Ask = (scope: number, call: LoadCall) => Promise<void>

/**
 * Asks for as long as the plan says, and times it.
 *
 * Without a rate each connection asks again once it is answered: the most that is to be had, with as many calls waiting as there are
 * connections. With one, calls are due at random moments (a Poisson process) whether or not earlier ones were answered, and
 * are timed from when they were due, so that a server that stalls cannot hide it.
 */
export async function runLoad(ask: Ask, plan: LoadPlan): Promise<LoadRecord> {
  const started = performance.now()
  const times = new LoadTimes(started)
  const timed = async (scope: number, call: LoadCall, due: number): Promise<void> => {
    try {
      await ask(scope, call)
      times.answered(call.kind, performance.now() - due)
    } catch (error) {
      times.failed(error)
    }
  }
  await (plan.rate === null ? askAgain(timed, plan, started) : askAtRate(timed, plan, plan.rate, started))
  return times.record(performance.now() - started)
}

/** Scopes that are read into memory beforehand: where there are many more, not all have room. */
const MOST_TOUCHED = 500

/** Has every connection made and scopes read into memory before anything counts. */
export async function touchScopes(ask: Ask, { scopes }: LoadPlan): Promise<void> {
  for (let scope = 0; scope < Math.min(scopes, MOST_TOUCHED); scope += 1)
    await ask(scope, { kind: 'recall', question: 'What was said?' })
}

type Timed = (scope: number, call: LoadCall, due: number) => Promise<void>

async function askAgain(timed: Timed, plan: LoadPlan, started: number): Promise<void> {
  const draw = callDrawer(plan.seed, plan.recallShare)
  const random = seededRandom(plan.seed + 7)
  const { scopes, connections } = plan
  const until = started + plan.seconds * 1_000
  const keepAsking = async (connection: number): Promise<void> => {
    const own = Math.ceil((scopes - connection) / connections)
    while (performance.now() < until) {
      const scope = connection + connections * Math.floor(random() * own)
      await timed(scope, draw(), performance.now())
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, connection) => keepAsking(connection)))
}

async function askAtRate(timed: Timed, plan: LoadPlan, rate: number, started: number): Promise<void> {
  const draw = callDrawer(plan.seed, plan.recallShare)
  const random = seededRandom(plan.seed + 5)
  const until = started + plan.seconds * 1_000
  const underWay = new Set<Promise<void>>()
  const gap = (): number => (-Math.log(1 - random()) / rate) * 1_000
  for (let due = started + gap(); due < until; due += gap()) {
    const wait = due - performance.now()
    await (wait > 0 ? sleep(wait) : nextTick())
    const call = timed(Math.floor(random() * plan.scopes), draw(), due)
    underWay.add(call)
    void call.then(() => underWay.delete(call))
  }
  await Promise.all(underWay)
}

class LoadTimes {
  readonly #times = { recall: [] as number[], remember: [] as number[] }
  readonly #minutes: number[][] = []
  readonly #errors = new Map<string, number>()
  readonly #started: number

  constructor(started: number) {
    this.#started = started
  }

  answered(kind: LoadCall['kind'], milliseconds: number): void {
    this.#times[kind].push(milliseconds)
    const minute = Math.floor((performance.now() - this.#started) / MINUTE)
    const times = (this.#minutes[minute] ??= [])
    times.push(milliseconds)
  }

  failed(error: unknown): void {
    const kind = error instanceof Error ? error.message : String(error)
    this.#errors.set(kind, (this.#errors.get(kind) ?? 0) + 1)
  }

  record(milliseconds: number): LoadRecord {
    const { recall, remember } = this.#times
    const all = [...recall, ...remember]
    return {
      figures: {
        ran_ms: round(milliseconds),
        requests_per_second: round((all.length * 1_000) / milliseconds),
        errors: [...this.#errors.values()].reduce((sum, count) => sum + count, 0),
        calls: all.length,
        recalls: recall.length,
        remembers: remember.length,
        ...quantilesNamed('', all),
        ...quantilesNamed('recall', recall),
        ...quantilesNamed('remember', remember),
        max_ms: round(all.reduce((longest, time) => Math.max(longest, time), 0)),
      },
      errors: Object.fromEntries(this.#errors),
      minutes: this.#wholeMinutes(milliseconds),
    }
  }

  #wholeMinutes(ran: number): Record<string, number>[] {
    const whole = Math.floor(ran / MINUTE)
    if (whole < 2) return []
    return Array.from({ length: whole }, (_, minute) => {
      const times = this.#minutes[minute] ?? []
      return { requests_per_second: round(times.length / 60), ...quantilesNamed('', times) }
    })
  }
}
