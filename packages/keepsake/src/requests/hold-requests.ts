import { hearWideRequests } from '../extraction/rules/hear-requests.ts'
import { saysYes } from '../extraction/grounding/label-candidate.ts'
import type { Extraction, Segment } from '../extraction/extractor.ts'
import { candidateOf } from '../memories/candidate.ts'
import { ASKED_TO_FORGET, deleteAlone } from '../memories/delete-memory.ts'
import { HELD_REQUEST, isHeld, KEPT_REQUEST } from '../memories/kept-request.ts'
import { memoryOf } from '../memories/make-memory.ts'
import type { Memory } from '../memories/memory.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import { promptLanguage, renderDay } from '../prompts/render-data.ts'
import type { Turn } from '../turns/turn.ts'
import { whoSpeaks } from '../turns/who-speaks.ts'
import { memoriesOf, originOf, type ScopeView } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'

/** Lowest importance, so that it never ranks above statements. */
const IMPORTANCE = 1
/** Maximum length of a plain confirmation. */
const LONGEST_YES = 60
const CONFIRMS =
  /^[\s\p{P}]*(?:i confirm|confirm(?:ed)?|do it|go ahead|please do|i am sure|i['’]m sure|确认|确定|同意|好的|可以|删吧|忘吧)(?!\p{L}*n['’]t)/iu

const HELD: NoteWords = {
  en: (day, who) =>
    `On ${day} ${who === 'user' ? 'the user' : who} asked the agent to forget everything; that waits for a yes.`,
  zh: (day, who) => `${day}，${who === 'user' ? '用户' : who}要求助手忘掉一切，等待确认。`,
}
const DONE: NoteWords = {
  en: (day, who) => `On ${day} ${who === 'user' ? 'the user' : who} asked the agent to forget everything.`,
  zh: (day, who) => `${day}，${who === 'user' ? '用户' : who}要求助手忘掉一切。`,
}

/** Checks that a turn says yes and nothing else. */
export function confirms({ role, text }: Pick<Turn, 'role' | 'text'>): boolean {
  return role === 'user' && text.trim().length <= LONGEST_YES && (saysYes(text) || CONFIRMS.test(text))
}

/** Finds the pending request that the user's previous turn made. */
export function heldBefore({ row, state }: ScopeView, turn: Pick<Turn, 'position'>): Memory | undefined {
  const before = state.userTurnBefore(row.scope, turn.position)
  return before === undefined ? undefined : [...state.memoriesOfTurn(before.id)].find(isHeld)
}

/** Removes deletions of a pending request from the extraction until it is confirmed. */
export function withoutHeld(
  { turns }: Segment,
  extraction: Extraction,
  rules?: Parameters<typeof hearWideRequests>[1],
): Extraction {
  const held = new Set(hearWideRequests(turns, rules).map(({ turn }) => turn))
  if (held.size === 0) return extraction
  return withoutRequests(extraction, held)
}

/** Removes the requests to forget of some turns, with the deletions that rest on them. */
export function withoutRequests(
  extraction: Extraction,
  turns: ReadonlySet<string>,
  accepts: (why: 'asked' | 'no-longer-so') => boolean = () => true,
): Extraction {
  return {
    ...extraction,
    requests: extraction.requests.filter((one) => one.kind !== 'forget' || !turns.has(one.evidence.turn)),
    operations: (extraction.operations ?? []).filter(
      (one) =>
        one.kind !== 'delete' || !accepts(one.why) || !one.evidence.some(({ turn }) => turns.has(turn)),
    ),
  }
}

/**
 * Stores each request to forget everything as a pending memory, and applies those that a turn confirms. The memory
 * rests on the turn of the request and is erased with it.
 *
 * @param byModel turns in which only a model read such a request
 */
export function holdRequests(
  unit: UnitOfWork,
  segment: Segment,
  byModel: ReadonlySet<string> = new Set(),
): void {
  const { engine, state } = unit
  const wide = new Set(hearWideRequests(segment.turns, engine.rules).map(({ turn }) => turn))
  for (const turn of segment.turns) {
    if (wide.has(turn.id) || byModel.has(turn.id)) hold(unit, segment, turn)
    const before = confirms(turn) ? state.userTurnBefore(unit.row.scope, turn.position) : undefined
    if (before === undefined) continue
    if (!asksBetween(segment, before.position, turn.position)) continue
    const held = liveIn(unit).find((one) => isHeld(one) && restsOn(one, before.id))
    if (held !== undefined) forgetEverything(unit, held, turn.position)
  }
}

/** Matches an agent's question for confirmation. */
const ASKS_WHETHER =
  /forg[eo]t|delet|eras|remov|wip|confirm|sure|certain|everything|忘|删|清|确认|确定|一切|全部/iu

/** Checks that no other question of the agent lies between the request and the confirmation. */
function asksBetween({ turns, before = [] }: Segment, from: number, to: number): boolean {
  const between = [...before, ...turns].filter(
    ({ role, position }) => role === 'assistant' && position > from && position < to,
  )
  return between.length === 0 || between.some(({ text }) => ASKS_WHETHER.test(text))
}

function hold(unit: UnitOfWork, segment: Segment, turn: Turn): void {
  const { state, changes } = unit
  const known = [...state.memoriesOfTurn(turn.id), ...changes.memories]
  if (known.some((one) => one.origin.step === HELD_REQUEST && restsOn(one, turn.id))) return
  addRequestNote(unit, segment, turn, { text: noteText(HELD, turn), step: HELD_REQUEST })
}

/** What a note says of a request, by its language. */
export type NoteWords = Readonly<Record<PromptLanguage, (day: string, who: string) => string>>

/** Words a note of the request that a turn makes. */
export function noteText(words: NoteWords, turn: Turn): string {
  return words[promptLanguage([turn.text])](renderDay(turn.at, turn.timeZone), whoSpeaks(turn))
}

/** Adds a note of a request. It rests on the turn of the request and is erased with it. */
export function addRequestNote(
  { engine, changes }: UnitOfWork,
  { sessionNumber, round }: Segment,
  turn: Turn,
  { text, step }: { readonly text: string; readonly step: string },
): void {
  const { id, session, at } = turn
  const signals = { arousal: null, surprise: null, importance: IMPORTANCE }
  const evidence = [{ turn: id, quote: null }]
  const subject = whoSpeaks(turn)
  const note = candidateOf({ type: 'event', subject, text, evidence, validFrom: at, signals })
  const setting = { session, sessionNumber, round, learnedAt: at }
  changes.add(memoryOf({ ...note, label: 'user-stated' }, setting), originOf(engine, step))
}

/**
 * Deletes all memories of a user's scope, and the pending request. One undo of the first operation restores them. Named notes belong to the
 * application and stay.
 *
 * @param before deletes only what was said before this position; everything when absent
 */
export function forgetEverything(unit: UnitOfWork, held: Memory, before = Number.POSITIVE_INFINITY): void {
  const { engine, changes, state } = unit
  const origin = originOf(engine, HELD_REQUEST)
  const { id: parent } = deleteAlone(changes, held, { reason: ASKED_TO_FORGET, origin })
  for (const memory of liveIn(unit)) {
    const isLater = memory.evidence.some(({ turn }) => (state.turns.get(turn)?.position ?? 0) >= before)
    if (memory.id !== held.id && !isLater && memory.name === null)
      deleteAlone(changes, memory, { reason: ASKED_TO_FORGET, origin, parent })
  }
  if (engine.preset.keepsRequests !== true) return
  const { id: _id, scope: _scope, origin: _origin, ...rest } = held
  const language = promptLanguage([held.text])
  const text = DONE[language](renderDay(held.validFrom, null), held.subject)
  changes.add({ ...rest, status: 'live', text }, { origin: originOf(engine, KEPT_REQUEST), parent })
}

function restsOn(memory: Memory, turn: string): boolean {
  return memory.evidence.some((one) => one.turn === turn)
}

/** Applies the change set and returns live memories. */
function liveIn(unit: UnitOfWork): Memory[] {
  const all = [...memoriesOf(unit), ...unit.changes.memories]
  return [...new Set(all.map(({ id }) => id))].flatMap((id) => {
    const memory = unit.changes.read(id)
    return memory?.status === 'live' || memory?.status === 'quarantined' ? [memory] : []
  })
}
