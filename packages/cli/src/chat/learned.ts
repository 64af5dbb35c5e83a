import type { EventMap, EventScope, Keepsake, Memory, ScopeKey } from 'keepsake'
import type { LeftOut } from 'keepsake/model'
import { sentence } from '../output/style.ts'

/** A memory that was extracted from the chat in the background. */
export type LearnedItem =
  | {
      readonly kind: 'added' | 'changed' | 'ended' | 'deleted' | 'forgotten' | 'restored' | 'not-believed'
      readonly memory: Memory
      /** The earlier text, if it changed. */
      readonly before: string | null
    }
  | {
      readonly kind: 'rejected' | 'failed' | 'not-summarised' | 'left-out' | 'asked'
      readonly reason: string
    }

type Change = 'added' | 'modified' | 'deleted' | 'forgotten' | 'restored'

/** Collects learned memories until they are shown. */
export class LearnedLog {
  /** Called when something new was learned. */
  onNews: () => void = () => undefined
  #news: LearnedItem[] = []
  #failure: string | null = null

  constructor(memory: Keepsake, key: ScopeKey) {
    const listen = <Name extends FollowedEvent>(
      event: Name,
      read: (payload: EventMap[Name][0]) => LearnedItem | null,
    ): void => {
      memory.on(event, (...[payload]) => {
        const learned = isWithin(key, payload.scope) ? read(payload) : null
        if (learned !== null) this.#add(learned)
      })
    }
    for (const change of ['added', 'modified', 'deleted', 'forgotten', 'restored'] as const)
      listen(`memory-${change}`, (payload) => readChange(change, payload))
    listen('operation-rejected', ({ kind, reason }) => ({
      kind: 'rejected',
      reason: `The model proposed to ${kind} a memory, but ${reason}`,
    }))
    listen('session-not-summarised', ({ outcome }) => ({
      kind: 'not-summarised',
      reason:
        outcome === 'unsafe'
          ? 'This session is not summarised: the model judged its summary unsafe.'
          : 'This session contains nothing to summarise.',
    }))
    listen('portrait-not-made', () => ({
      kind: 'not-summarised',
      reason: 'The portrait is unchanged: the model judged the new text unsafe.',
    }))
    listen('input-left-out', (payload) => ({ kind: 'left-out', reason: leftOutSentence(payload) }))
    listen('job-failed', ({ error, parked }) => ({
      kind: 'failed',
      reason: `Part of the conversation could not be processed: ${sentence(error.message)} ${parked ? 'See "keepsake jobs".' : 'It will be retried.'}`,
    }))
  }

  /** Whether the extraction of any part of this chat has failed. */
  get hasFailed(): boolean {
    return this.#failure !== null
  }

  take(): readonly LearnedItem[] {
    return this.#news.splice(0)
  }

  #add(learned: LearnedItem): void {
    if (this.#news.some((known) => isSameItem(known, learned))) return
    if (learned.kind === 'failed') {
      // Repeated attempts are reported once, until they fail for another reason.
      if (learned.reason === this.#failure) return
      this.#failure = learned.reason
    }
    this.#news.push(learned)
    this.onNews()
  }
}

type FollowedEvent =
  | `memory-${Change}`
  | 'operation-rejected'
  | 'session-not-summarised'
  | 'portrait-not-made'
  | 'input-left-out'
  | 'job-failed'

const LEFT_OUT = {
  turns: 'turns of this conversation',
  'session-memories': 'memories of sessions',
  memories: 'memories',
  sentences: 'sentences of an answer',
} as const
const BECAUSE = {
  window: "the model's window does not hold them",
  unsafe: 'the model judged them unsafe',
  length: 'it was too long',
} as const

function leftOutSentence({ what, count, of, cause }: LeftOut): string {
  return `${count} of ${of} ${LEFT_OUT[what]} were left out: ${BECAUSE[cause]}.`
}

function isWithin(key: ScopeKey, scope: EventScope): boolean {
  return (['user', 'tenant', 'agent', 'app'] as const).every(
    (name) => key[name] === undefined || key[name] === scope[name],
  )
}

/** Steps that store a request to forget until the user says yes. */
const WAITING = /^held-(?:request|topic)\//
const ASKED: LearnedItem = {
  kind: 'asked',
  reason: 'Did you ask to forget this? Say yes next, and it is forgotten; anything else keeps it.',
}

function readChange(change: Change, { memory, operation }: EventMap['memory-added'][0]): LearnedItem | null {
  // Commands report their own changes.
  if (operation.origin.step === 'api') return null
  if (WAITING.test(memory.origin.step)) return change === 'added' ? ASKED : null
  // Stored turns and their sections are expected, and not reported.
  const isRoutine = memory.form === 'utterance' || (memory.form === 'story' && memory.level === 1)
  if (isRoutine && change !== 'forgotten' && change !== 'deleted') return null
  const before = operation.payload?.before
  const kind = kindOfNews(change, memory, before)
  return kind === null ? null : { kind, memory, before: kind === 'changed' ? (before?.text ?? null) : null }
}

/** Returns the kind of a change to show; `null` for changes that are not shown, such as a repeated statement. */
function kindOfNews(
  change: Change,
  memory: Memory,
  before: Partial<Memory> | null | undefined,
): Exclude<LearnedItem, { reason: string }>['kind'] | null {
  if (memory.status === 'quarantined') return change === 'added' ? 'not-believed' : null
  if (change !== 'modified') return change
  if (before?.text !== undefined && before.text !== memory.text) return 'changed'
  return before?.validUntil === null && memory.validUntil !== null ? 'ended' : null
}

/** Whether two items are equal. The summary of a session with one section has the section's text. */
function isSameItem(first: LearnedItem, second: LearnedItem): boolean {
  if (first.kind !== second.kind) return false
  if ('reason' in first) return 'reason' in second && first.reason === second.reason
  return 'memory' in second && first.memory.text !== '' && first.memory.text === second.memory.text
}
