// A server for the fault “kill-chat”, which stops at an exact phase of one chat.
import { answerFurther, answerParent, Child, isChild } from '@keepsake/bench/parts'
import { openServer } from '@keepsake/server'
import { openMemory, openSqliteStore } from 'keepsake'
import type { NewRecord, Store } from 'keepsake/store'

/** The phases of a chat in which its server can be killed, in order. */
export const CHAT_PHASES = [
  'before-upstream',
  'upstream-asked',
  'question-unkept',
  'question-kept',
  'amid-stream',
  'answer-whole',
  'answer-unkept',
  'answer-kept',
  'acknowledged',
] as const
export type ChatPhase = (typeof CHAT_PHASES)[number]

/** These words are only in the question of the held chat, which the server stops in a phase. */
export const HELD = 'the held chat'

interface HeldServerRequest {
  readonly path: string
  readonly upstream: string
  readonly phase: ChatPhase
}

/** The phases of the held chat before and after a call of the store. */
type StoreStep = Readonly<Record<'before' | 'after', ChatPhase | null>>
const OTHER_STEP: StoreStep = { before: null, after: null }

/** Runs a server whose store stops in a phase of the held chat. The server answers the command `reached` once it has stopped. */
async function serve({ path, upstream, phase }: HeldServerRequest): Promise<string> {
  const reached = Promise.withResolvers<void>()
  const store = holdChat(await openSqliteStore({ path }), phase, reached.resolve)
  const keepsake = await openMemory({ store })
  const server = await openServer({ keepsake, port: 0, upstream: { url: upstream, key: null } })
  answerFurther(() => reached.promise)
  return server.url
}

/** Wraps a store so that it stops when the held chat reaches a phase. The process can then be killed exactly there. */
function holdChat(store: Store, phase: ChatPhase, onReached: () => void): Store {
  const stop = (): Promise<never> => {
    onReached()
    return new Promise(() => undefined)
  }
  const hold = async <Result>(step: StoreStep, work: () => Promise<Result>): Promise<Result> => {
    if (step.before === phase) return stop()
    const result = await work()
    return step.after === phase ? stop() : result
  }
  const held: Pick<Store, 'append' | 'putRecord'> = {
    append: (request) => hold(stepOfAppend(request), () => store.append(request)),
    putRecord: (record) => hold(stepOfRecord(record), () => store.putRecord(record)),
  }
  return new Proxy(store, {
    get(target, name) {
      if (name === 'append' || name === 'putRecord') return held[name]
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

function stepOfAppend({ turns }: Parameters<Store['append']>[0]): StoreStep {
  if (!turns.some(({ text }) => text.includes(HELD))) return OTHER_STEP
  return turns.some(({ role }) => role === 'assistant')
    ? { before: 'answer-unkept', after: 'answer-kept' }
    : { before: 'question-unkept', after: 'question-kept' }
}

/** Only the held chat comes with an `Idempotency-Key`. */
function stepOfRecord({ collection, value }: NewRecord): StoreStep {
  if (collection !== 'requests') return OTHER_STEP
  return value['answer'] === null
    ? { before: null, after: 'before-upstream' }
    : { before: 'answer-whole', after: null }
}

/** Starts a server in its own process. It stops in a phase of the held chat. */
export const startHeldServer = (request: HeldServerRequest) => new Child<string>(import.meta.url, request)

if (isChild(import.meta.url)) await answerParent(serve)
