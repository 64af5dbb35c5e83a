import { sentence } from '../output/sentence.ts'
import type { EventMap, EventScope, Keepsake, Memory, Operation, ScopeKey } from 'keepsake'

/** Something that memory made of the talk, in the background. */
export type Learned =
  | {
      readonly kind: 'added' | 'changed' | 'ended' | 'deleted' | 'forgotten' | 'restored' | 'not-believed'
      readonly memory: Memory
      /** What it said before, where that changed. */
      readonly before: string | null
    }
  | { readonly kind: 'rejected' | 'failed' | 'not-summarised'; readonly reason: string }

/** Collects what is learned of a person, until it is asked for. */
export class LearnedLog {
  /** Called when there is something new. */
  onNews: () => void = () => undefined
  readonly #memory: Keepsake
  readonly #key: ScopeKey
  #news: Learned[] = []
  #failure: string | null = null

  constructor(memory: Keepsake, key: ScopeKey) {
    this.#memory = memory
    this.#key = key
    for (const event of ['added', 'modified', 'deleted', 'forgotten', 'restored'] as const)
      memory.on(`memory-${event}`, (told) => this.#noteMemory(event, told))
    this.#follow('operation-rejected', ({ kind, reason }) => ({
      kind: 'rejected',
      reason: `It was proposed to ${kind} a memory, but ${reason}`,
    }))
    this.#follow('session-not-summarised', ({ outcome }) => ({
      kind: 'not-summarised',
      reason:
        outcome === 'unsafe'
          ? 'This session is not summarised: the model judged it must not be kept.'
          : 'This session left nothing that a summary should keep.',
    }))
    this.#follow('job-failed', ({ error, parked }) => ({
      kind: 'failed',
      reason: `Something of the talk could not be read: ${sentence(error.message)} ${parked ? '"keepsake jobs" has it.' : 'It is tried again.'}`,
    }))
  }

  /** What is new, once. */
  take(): readonly Learned[] {
    const news = this.#news
    this.#news = []
    return news
  }

  #follow<Name extends 'operation-rejected' | 'session-not-summarised' | 'job-failed'>(
    event: Name,
    read: (told: EventMap[Name][0]) => Learned,
  ): void {
    this.#memory.on(event, (...[told]) => {
      if (this.#isOurs(told.scope)) this.#add(read(told))
    })
  }

  #noteMemory(
    event: 'added' | 'modified' | 'deleted' | 'forgotten' | 'restored',
    { scope, memory, operation }: EventMap['memory-added'][0],
  ): void {
    // What a command did, it tells itself.
    if (!this.#isOurs(scope) || operation.origin.step === 'api') return
    // What was said is kept, and told stretch by stretch, as a matter of course.
    const isSaid = memory.form === 'utterance' || (memory.form === 'story' && memory.level === 1)
    if (isSaid && event !== 'forgotten' && event !== 'deleted') return
    const kind = kindOfNews(event, memory, operation)
    if (kind === null) return
    const before = operation.payload?.before?.text ?? null
    this.#add({ kind, memory, before: kind === 'changed' ? before : null })
  }

  #add(learned: Learned): void {
    if (this.#news.some((known) => isSameNews(known, learned))) return
    if (learned.kind === 'failed') {
      // It is tried again and again: saying so once is enough, until it fails for another reason.
      if (learned.reason === this.#failure) return
      this.#failure = learned.reason
    }
    this.#news.push(learned)
    this.onNews()
  }

  #isOurs(scope: EventScope): boolean {
    const { user, tenant, agent, app } = this.#key
    return (
      scope.user === user &&
      (tenant === undefined || scope.tenant === tenant) &&
      (agent === undefined || scope.agent === agent) &&
      (app === undefined || scope.app === app)
    )
  }
}

/** Whether telling both would say a thing twice: a session of one stretch, say, is summarised in the stretch's words. */
function isSameNews(one: Learned, other: Learned): boolean {
  if (one.kind !== other.kind) return false
  if ('reason' in one) return 'reason' in other && one.reason === other.reason
  return 'memory' in other && one.memory.text !== '' && one.memory.text === other.memory.text
}

/** `null` for changes that nobody would call news, such as another turn that says the same. */
function kindOfNews(
  event: 'added' | 'modified' | 'deleted' | 'forgotten' | 'restored',
  memory: Memory,
  { payload }: Operation,
): Exclude<Learned, { reason: string }>['kind'] | null {
  if (memory.status === 'quarantined') return event === 'added' ? 'not-believed' : null
  if (event !== 'modified') return event
  const before = payload?.before
  if (before?.text !== undefined && before.text !== memory.text) return 'changed'
  if (before?.validUntil === null && memory.validUntil !== null) return 'ended'
  return null
}
