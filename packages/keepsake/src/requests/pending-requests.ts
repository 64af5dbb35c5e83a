// Stores requests that need a confirmation as notes, and withholds memories while a request is not understood.
import { maskUnspoken, readAnswer, simplifyChinese, splitSentences, type Answer } from '@keepsake/text'
import type { Extraction, ForgetRequest, Segment } from '../extraction/extractor.ts'
import { likelyAsksToForget } from '../extraction/grounding/find-wish.ts'
import { hearAllRequests, hearWideRequests } from '../extraction/rules/hear-requests.ts'
import { candidateOf, memoryOf } from '../memories/candidate.ts'
import { ASKED_TO_FORGET, deleteAlone, deleteMemory, WITHHELD } from '../memories/delete-memory.ts'
import { restsOn, type Evidence } from '../memories/evidence.ts'
import { isPendingRequest, PENDING_FORGET_ALL, type PENDING_TOPIC } from '../memories/kept-request.ts'
import type { Memory, Origin } from '../memories/memory.ts'
import { promptLanguage, renderDay } from '../prompts/render-data.ts'
import { isToAssistant, whoSpeaks, type Turn } from '../turns/turn.ts'
import { memoriesOf, originOf, settingOfTurn, type ScopeView } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { findJustSaid, listMemoriesOfTurns } from './find-targets.ts'

/** Reads a reply that contains only a yes or a no; `null` for any other turn. */
export function readReply(turn: Pick<Turn, 'role' | 'text' | 'metadata'>, wasAsked: boolean): Answer {
  return isToAssistant(turn) ? readAnswer(simplifyChinese(turn.text), wasAsked) : null
}

/** Finds the pending request of the user's previous turn. */
export function findPendingBefore(
  { row, state }: ScopeView,
  turn: Pick<Turn, 'position'>,
): Memory | undefined {
  const before = state.userTurnBefore(row.scope, turn.position)
  return before === undefined ? undefined : [...state.memoriesOfTurn(before.id)].find(isPendingRequest)
}

/** Matches words of a question that asks the user to confirm a deletion, in eight languages. */
const CONFIRMATION = new RegExp(
  [
    'forg[eo]t|delet|eras|remov|wip|confirm|sure|certain|everything',
    'sicher|wirklich|vergess|l[öo]sch',
    'segur|olvid|borr|elimin',
    's[ûu]r|oubli|effac|supprim',
    'certeza|esque|apag',
    '本当|削除|消|忘|删|清|确认|確|确定|一切|全部',
    '정말|확실|삭제|지우|지울|잊',
  ].join('|'),
  'iu',
)

/**
 * Checks whether the agent asked for a confirmation between two positions.
 *
 * @returns `false` if the agent said nothing there, `null` if it said something else
 */
export function wasConfirmationAsked(
  { turns, before = [] }: Segment,
  from: number,
  to: number,
): boolean | null {
  const between = [...before, ...turns].filter(
    ({ role, position }) => role === 'assistant' && position > from && position < to,
  )
  if (between.length === 0) return false
  return between.some(({ text }) => CONFIRMATION.test(text)) || null
}

/** Removes the requests and deletions that must wait for a confirmation from an extraction. */
export function withoutPendingRequests(
  { turns, users }: Segment,
  extraction: Extraction,
  rules?: Parameters<typeof hearWideRequests>[1],
): Extraction {
  const inPassages = hearAllRequests(turns, rules, users).filter(({ doubt }) => doubt === 'passage')
  const pending = new Set([
    ...hearWideRequests(turns, rules, users).map(({ turn }) => turn),
    ...inPassages.map(({ evidence }) => evidence.turn),
  ])
  return pending.size === 0 ? extraction : withoutRequests(extraction, pending)
}

/** Removes the requests to forget of some turns from an extraction, with the deletions that rest on these turns. */
export function withoutRequests(
  extraction: Extraction,
  turns: ReadonlySet<string>,
  isRemoved: (why: 'asked' | 'no-longer-so') => boolean = () => true,
): Extraction {
  return {
    ...extraction,
    requests: extraction.requests.filter(
      (request) => request.kind !== 'forget' || !turns.has(request.evidence.turn),
    ),
    operations: (extraction.operations ?? []).filter(
      (operation) =>
        operation.kind !== 'delete' ||
        !isRemoved(operation.why) ||
        !operation.evidence.some(({ turn }) => turns.has(turn)),
    ),
  }
}

/** The lowest importance. With it, notes of requests never rank above statements. */
const IMPORTANCE = 1

/**
 * Stores the request of a turn as a pending note, once per turn and step. An erasure of the turn, its evidence, erases the note.
 *
 * @param doubtful sentences that the request may mean too. They are the only ones that a yes deletes.
 */
export function addPendingRequest(
  unit: UnitOfWork,
  turn: Turn,
  step: typeof PENDING_FORGET_ALL | typeof PENDING_TOPIC,
  doubtful: readonly Evidence[] = [],
): void {
  const { engine, state, changes } = unit
  const known = [...state.memoriesOfTurn(turn.id), ...changes.memories]
  if (known.some((memory) => memory.origin.step === step && restsOn(memory, turn.id))) return
  const { id, at } = turn
  const note = candidateOf({
    type: 'event',
    subject: whoSpeaks(turn),
    text: describeRequest(turn, step === PENDING_FORGET_ALL),
    evidence: [{ turn: id, quote: null }, ...doubtful],
    validFrom: at,
    signals: { arousal: null, surprise: null, importance: IMPORTANCE },
  })
  changes.add(memoryOf({ ...note, label: 'user-stated' }, settingOfTurn(unit, turn)), originOf(engine, step))
}

/** Returns the text of a pending request's note, in the language of its turn. */
function describeRequest(turn: Turn, isWide: boolean): string {
  const day = renderDay(turn.at, turn.timeZone)
  const speaker = whoSpeaks(turn)
  const isUnnamed = speaker === 'user'
  if (promptLanguage([turn.text]) === 'zh') {
    const request = isWide ? '要求助手忘掉一切' : '可能要求助手忘掉一件事'
    return `${day}，${isUnnamed ? '用户' : speaker}${request}，等待确认。`
  }
  const request = isWide
    ? 'asked the agent to forget everything'
    : 'may have asked the agent to forget something'
  return `On ${day} ${isUnnamed ? 'the user' : speaker} ${request}; that waits for a yes.`
}

/** Matches names of notes that state something about the user. Mem0's protocol and imports make such notes. */
const NAMES_OF_STATEMENTS = /^mem0-/

/**
 * Deletes all memories of a user's scope, and the pending request. Undoing the first operation restores them all. Named
 * notes of the application stay.
 *
 * @param before memories with evidence from this position on stay; all are deleted when absent
 */
export function deleteEverything(unit: UnitOfWork, request: Memory, before = Number.POSITIVE_INFINITY): void {
  const { engine, changes, state } = unit
  const origin = originOf(engine, PENDING_FORGET_ALL)
  const { id: parent } = deleteAlone(changes, request, { reason: ASKED_TO_FORGET, origin })
  for (const memory of listLive(unit)) {
    const isLater = memory.evidence.some(({ turn }) => (state.turns.get(turn)?.position ?? 0) >= before)
    const isOfApplication =
      memory.name !== null && memory.form === 'note' && !NAMES_OF_STATEMENTS.test(memory.name)
    if (memory.id !== request.id && !isLater && !isOfApplication)
      deleteAlone(changes, memory, { reason: ASKED_TO_FORGET, origin, parent })
  }
}

/** Returns the memories of a scope that are live or quarantined after the unit's changes. */
export function listLive(unit: UnitOfWork): Memory[] {
  const all = [...memoriesOf(unit), ...unit.changes.memories]
  return [...new Set(all.map(({ id }) => id))].flatMap((id) => {
    const memory = unit.changes.read(id)
    return memory?.status === 'live' || memory?.status === 'quarantined' ? [memory] : []
  })
}

/**
 * Withholds memories after an unusable answer of the model: those of a turn that likely asks to forget, and of the turns that
 * it may mean. {@link restoreWithheld} restores them when the model reads the turns.
 */
export function withholdTargets(unit: UnitOfWork, segment: Segment, origin: Origin): void {
  const { state, changes } = unit
  for (const turn of segment.turns) {
    const request = isToAssistant(turn) ? findLikelyRequest(turn) : null
    if (request === null) continue
    for (const { id } of listMemoriesOfTurns(unit, [turn.id, ...findJustSaid(unit, request, turn)])) {
      const memory = changes.read(id)
      if (memory?.status !== 'live' || (memory.form !== 'utterance' && memory.form !== 'fact')) continue
      deleteMemory(changes, memory, { reason: WITHHELD, origin }, (turnId) => state.memoriesOfTurn(turnId))
    }
  }
}

/** Finds a sentence that likely asks to forget something, and returns it as a request without a topic. */
function findLikelyRequest(turn: Turn): ForgetRequest | null {
  const sentence = splitSentences(maskUnspoken(turn.text)).find(({ text }) => likelyAsksToForget(text))
  if (sentence === undefined) return null
  const quote = turn.text.slice(sentence.start, sentence.start + sentence.text.length)
  return { kind: 'forget', about: null, evidence: { turn: turn.id, quote } }
}

/** Restores the memories that were withheld for a segment's turns, before the requests of the segment are applied. */
export function restoreWithheld({ state, changes }: UnitOfWork, { turns }: Segment, origin: Origin): void {
  const memories = turns.flatMap(({ id }) => [...state.memoriesOfTurn(id)])
  const withheld = memories.filter(({ status, reason }) => status === 'deleted' && reason === WITHHELD)
  for (const id of new Set(withheld.map((memory) => memory.id)))
    changes.change('restore', id, { status: 'live', reason: null }, origin)
}
