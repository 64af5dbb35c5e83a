import { setImmediate as yieldEventLoop } from 'node:timers/promises'
import { answerParent, askChild, isChild, processUsage } from '@keepsake/bench/parts'
import { openMemory } from 'keepsake'
import { cycleTurns, talkOf } from '../talks.ts'
import { measureTarget, userOf, type LoadPlan } from './run-load.ts'

type LibraryRequest =
  | { readonly work: 'fill'; readonly path: string; readonly users: number; readonly turns: number }
  | { readonly work: 'measure'; readonly path: string; readonly plan: LoadPlan }

const TURNS_PER_CALL = 100

/** Fills a file, or measures the library in this process, with no server between. */
async function work(request: LibraryRequest): Promise<unknown> {
  const synchronous = request.work === 'fill' ? 'normal' : 'full'
  const keepsake = await openMemory({ path: request.path, synchronous })
  try {
    if (request.work === 'measure') {
      return await measureTarget(
        {
          async call(user, call) {
            // Lets background work run, as it does between requests of other processes. Awaited calls alone would not.
            await yieldEventLoop()
            const scope = keepsake.scope({ user })
            if (call.kind === 'recall') await scope.recall(call.question)
            else await scope.remember({ role: 'user', text: call.text })
          },
          usage: () => Promise.resolve(processUsage()),
          settle: async () => void (await keepsake.drain()),
        },
        request.plan,
      )
    }
    for (let user = 0; user < request.users; user += 1) {
      const scope = keepsake.scope({ user: userOf(user) })
      for (let from = 0; from < request.turns; from += TURNS_PER_CALL) {
        const count = Math.min(TURNS_PER_CALL, request.turns - from)
        await scope.remember(cycleTurns(talkOf(user), from, count), { session: `session-${from}` })
      }
      await scope.drain()
    }
    return (await keepsake.stats()).memories.live
  } finally {
    await keepsake.close()
  }
}

export const askLibrary = <Answer>(request: LibraryRequest) => askChild<Answer>(import.meta.url, request)

if (isChild(import.meta.url)) await answerParent(work)
