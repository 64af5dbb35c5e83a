import { setImmediate as yieldEventLoop, setTimeout as sleep } from 'node:timers/promises'
import { quantilesNamed, round, seededDraw, type Draw, type ProcessUsage } from '@keepsake/bench/parts'
import { talkOf, type Talk } from '../talks.ts'

export interface LoadPlan {
  readonly users: number
  readonly connections: number
  readonly seconds: number
  /** Share of calls that recall, 0 to 1. The others remember a turn. */
  readonly recallShare: number
  /** Calls per second. With `null`, each connection calls again as soon as it has an answer. */
  readonly rate: number | null
  readonly seed: number
}

export type LoadCall =
  | { readonly kind: 'recall'; readonly question: string }
  | { readonly kind: 'remember'; readonly text: string }

export interface LoadTarget {
  readonly call: (user: string, call: LoadCall) => Promise<void>
  readonly usage: () => Promise<ProcessUsage>
  /** Waits until no work is left in the background. */
  readonly settle: () => Promise<void>
}

export const userOf = (number: number): string => `person-${number}`

/** Measures a target under full load, then at a steady rate: that of the plan, or half of the rate under full load. */
export async function measureTarget(target: LoadTarget, plan: LoadPlan) {
  // Each load has its own seed, so that it sends other calls.
  const { seconds, seed } = plan
  // Warms up: compiles the code and loads users into memory.
  await runLoad(target, { ...plan, rate: null, seconds: Math.min(10, seconds), seed: seed + 1 })
  const full = await measureLoad(target, { ...plan, rate: null })
  const rate = plan.rate ?? Math.max(1, Math.round((full['requests_per_second'] ?? 0) / 2))
  const steady = await measureLoad(target, { ...plan, rate, seed: seed + 2 })
  return { full, steady: { asked_per_second: rate, ...steady } }
}

/** Runs a load, and adds its processor time and memory, including background work. */
async function measureLoad(target: LoadTarget, plan: LoadPlan): Promise<Readonly<Record<string, number>>> {
  await target.settle()
  const atStart = await target.usage()
  const figures = await runLoad(target, plan)
  const afterCalls = await target.usage()
  await target.settle()
  const atEnd = await target.usage()
  const calls = Math.max(1, figures['calls'] ?? 0)
  return {
    ...figures,
    cpu_ms_per_call: round((atEnd.cpuMs - atStart.cpuMs) / calls),
    cpu_ms_afterwards_per_call: round((atEnd.cpuMs - afterCalls.cpuMs) / calls),
    cpus: round((afterCalls.cpuMs - atStart.cpuMs) / (figures['ran_ms'] ?? Number.NaN)),
    resident_bytes: afterCalls.residentBytes,
  }
}

/** Calls a target for the plan's seconds. Each call is timed from its planned time, so that the times of a stalled server show the stall. */
async function runLoad(target: LoadTarget, plan: LoadPlan): Promise<Readonly<Record<string, number>>> {
  const { rate, connections, seconds, users } = plan
  const draw = seededDraw(plan.seed)
  const times = { recall: [] as number[], remember: [] as number[] }
  let errors = 0
  const started = performance.now()
  const endTime = started + seconds * 1_000
  const callOnce = async (due: number): Promise<void> => {
    const user = draw.whole(0, users - 1)
    const call = drawCall(draw, talkOf(user), plan.recallShare)
    try {
      await target.call(userOf(user), call)
      times[call.kind].push(performance.now() - due)
    } catch {
      errors += 1
    }
  }
  if (rate === null) {
    const callAgain = async (): Promise<void> => {
      while (performance.now() < endTime) await callOnce(performance.now())
    }
    await Promise.all(Array.from({ length: connections }, callAgain))
  } else {
    const running: Promise<void>[] = []
    // Random gaps with an exponential distribution, as between independent callers.
    const drawGapMs = (): number => (-Math.log(1 - draw.real(0, 1)) / rate) * 1_000
    for (let due = started + drawGapMs(); due < endTime; due += drawGapMs()) {
      const waitMs = due - performance.now()
      await (waitMs > 0 ? sleep(waitMs) : yieldEventLoop())
      running.push(callOnce(due))
    }
    await Promise.all(running)
  }
  const ranMs = performance.now() - started
  const all = [...times.recall, ...times.remember]
  return {
    ran_ms: round(ranMs),
    requests_per_second: round((all.length * 1_000) / ranMs),
    errors,
    calls: all.length,
    ...quantilesNamed('', all),
    ...quantilesNamed('recall', times.recall),
    ...quantilesNamed('remember', times.remember),
  }
}

function drawCall(draw: Draw, { questions, turns }: Talk, recallShare: number): LoadCall {
  return draw.chance(recallShare)
    ? { kind: 'recall', question: draw.pick(questions) }
    : { kind: 'remember', text: draw.pick(turns).text }
}
