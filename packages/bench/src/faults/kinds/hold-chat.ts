import type { NewRecord, Store } from 'keepsake'
import type { ChatPhase } from './chat-phases.ts'

type AppendRequest = Parameters<Store['append']>[0]

/** Stands in the words of the chat that is held, and in no other. */
export const HELD = 'the held chat'

/** Where a step of the store lies, for the phases that it begins or ends. */
interface Step {
  readonly before: ChatPhase | null
  readonly after: ChatPhase | null
}

const NOWHERE: Step = { before: null, after: null }

/**
 * A store that stops for good where a chat is at a phase, so that its process can be killed exactly there.
 *
 * @param reached told when it stops
 */
export function holdChat(store: Store, phase: ChatPhase, reached: () => void): Store {
  const stop = (): Promise<never> => {
    reached()
    return new Promise(() => undefined)
  }
  const hold = async <Result>(step: Step, work: () => Promise<Result>): Promise<Result> => {
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

function stepOfAppend({ turns }: AppendRequest): Step {
  if (!turns.some(({ text }) => text.includes(HELD))) return NOWHERE
  const isAnswer = turns.some(({ role }) => role === 'agent')
  return isAnswer
    ? { before: 'answer-unkept', after: 'answer-kept' }
    : { before: 'question-unkept', after: 'question-kept' }
}

/** Of all chats, the held one alone comes with an `Idempotency-Key`. */
function stepOfRecord({ collection, value }: NewRecord): Step {
  if (collection !== 'requests') return NOWHERE
  return value['answer'] === null
    ? { before: null, after: 'before-upstream' }
    : { before: 'answer-whole', after: null }
}
