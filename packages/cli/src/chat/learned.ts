import type { EventMap, EventScope, Keepsake, Memory, ScopeKey } from 'keepsake'
import { sentence } from '../output/style.ts'

/** A change of a memory in the background of the chat, a failure, or a question to the user. */
export type LearnedItem =
  | {
      readonly kind: 'added' | 'changed' | 'ended' | 'deleted' | 'forgotten' | 'restored' | 'not-believed'
      readonly memory: Memory
      /** The earlier text, if it changed. */
      readonly before: string | null
    }
  | {
      readonly kind: 'failed' | 'asked'
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
    for (const change of ['added', 'modified', 'deleted', 'forgotten', 'restored'] as const)
      memory.on(`memory-${change}`, (payload) => {
        const learned = isWithin(key, payload.scope) ? readChange(change, payload) : null
        if (learned !== null) this.#add(learned)
      })
    memory.on('job-failed', ({ scope, error, parked }) => {
      if (!isWithin(key, scope)) return
      const next = parked ? 'See "keepsake jobs".' : 'It will be retried.'
      const reason = `Part of the conversation could not be processed: ${sentence(error.message)} ${next}`
      this.#add({ kind: 'failed', reason })
    })
  }

  /** Whether the extraction of any part of this chat has failed. */
  get hasFailed(): boolean {
    return this.#failure !== null
  }

  take(): readonly LearnedItem[] {
    return this.#news.splice(0)
  }

  #add(learned: LearnedItem): void {
    if (this.#news.some((earlier) => isSameItem(earlier, learned))) return
    if (learned.kind === 'failed') {
      // Repeated attempts are reported once, until they fail for another reason.
      if (learned.reason === this.#failure) return
      this.#failure = learned.reason
    }
    this.#news.push(learned)
    this.onNews()
  }
}

function isWithin(key: ScopeKey, scope: EventScope): boolean {
  return (['user', 'tenant', 'agent', 'app'] as const).every(
    (name) => key[name] === undefined || key[name] === scope[name],
  )
}

/** Matches steps that store a request to forget until the user says yes. */
const PENDING_REQUEST_STEP = /^held-(?:request|topic)\//
const CONFIRMATION_QUESTION: LearnedItem = {
  kind: 'asked',
  reason: 'Did you ask to forget this? Say yes next, and it is forgotten; anything else keeps it.',
}

function readChange(change: Change, { memory, operation }: EventMap['memory-added'][0]): LearnedItem | null {
  // Commands report their own changes.
  if (operation.origin.step === 'api') return null
  if (PENDING_REQUEST_STEP.test(memory.origin.step)) return change === 'added' ? CONFIRMATION_QUESTION : null
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
