import { setImmediate as nextTick } from 'node:timers/promises'
import { openMemory, type Keepsake } from 'keepsake'
import { answerParent, isChild } from '../processes/child.ts'
import { openingOf, userOf, type LoadPlan, type LoadSetting } from './load-plan.ts'
import { processUsage } from '../processes/process-usage.ts'
import { runLoad, touchScopes, type Ask, type LoadRecord } from './run-load.ts'

export interface LibraryRequest {
  readonly path: string
  readonly setting: LoadSetting
  /** Run one after the other in one process. */
  readonly plans: readonly LoadPlan[]
}

/** Processor time of a process, of all its threads. */
export interface ProcessorUsed {
  /** Until the last answer. */
  readonly cpuMs: number
  /** Until nothing was left to be done in the background. */
  readonly settledCpuMs: number
}

/** A run of a plan. */
export interface LibraryAsked {
  readonly record: LoadRecord
  /** Asking included. */
  readonly used: ProcessorUsed
}

/** The same calls in the process of whoever asks, with no server between. */
async function askLibrary({ path, setting, plans }: LibraryRequest): Promise<LibraryAsked[]> {
  const keepsake = await openMemory({ path, ...openingOf(setting) })
  const runs: LibraryAsked[] = []
  for (const plan of plans) {
    const ask = askOf(keepsake, plan)
    await touchScopes(ask, plan)
    const before = processUsage()
    const record = await runLoad(ask, plan)
    const cpuMs = processUsage().cpuMs - before.cpuMs
    await keepsake.drain()
    runs.push({ record, used: { cpuMs, settledCpuMs: processUsage().cpuMs - before.cpuMs } })
  }
  await keepsake.close()
  return runs
}

function askOf(keepsake: Keepsake, { scopes: count, reinforce }: LoadPlan): Ask {
  const scopes = Array.from({ length: count }, (_, scope) => keepsake.scope({ user: userOf(scope) }))
  return async (index, call) => {
    // Callers elsewhere let the background work have its turn; calls that only await each other would not.
    await nextTick()
    const scope = scopes[index]
    if (scope === undefined) throw new Error(`there is no scope ${index}`)
    if (call.kind === 'remember') await scope.remember({ role: 'user', text: call.text })
    else await scope.recall(call.question, reinforce ? {} : { reinforce: false })
  }
}

/** This module, for whoever starts it as a process. */
export const ASK_LIBRARY = import.meta.url

if (isChild(import.meta.url)) await answerParent(askLibrary)
