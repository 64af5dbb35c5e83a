import type { Draw } from '@keepsake/bench/parts'
import { asClause } from '../material/fill-template.ts'
import type { Voice } from '../material/voice.ts'
import type { LifeEvent } from './make-life.ts'
import type { Point, PointBook } from './point.ts'
import { QUESTION_TYPES, type HalumemQuestion, type QuestionType } from './published-form.ts'
import { evidenceOf } from './write-session.ts'

/** Events that questions treat as one: a single event, or all stages of a career event. */
export interface QuestionUnit {
  readonly kind: LifeEvent['kind']
  /** Indexes of its events, in order. Its questions belong to the session of the last. */
  readonly eventIndexes: readonly number[]
}

/** Groups events into units by the index of their last event (HaluMem, stage 6: sub-stages of a career event form one unit). */
export function questionUnits(events: readonly LifeEvent[]): Map<number, QuestionUnit> {
  const units = new Map<string, QuestionUnit>()
  for (const [index, event] of events.entries()) {
    const key = event.about === 'career' ? event.career : String(index)
    const earlier = units.get(key)?.eventIndexes ?? []
    units.set(key, { kind: event.kind, eventIndexes: [...earlier, index] })
  }
  return new Map([...units.values()].map((unit) => [unit.eventIndexes.at(-1) ?? 0, unit]))
}

interface QuestionContext {
  readonly voice: Voice
  /** All points up to this session. */
  readonly book: PointBook
}

interface QuestionDraft {
  readonly question: string
  readonly answer: string
  readonly evidence: readonly Point[]
}

type Drafter = (context: QuestionContext, points: readonly Point[]) => QuestionDraft | null

/** Attempts per wanted question; after repeated questions only, another type is used. */
const MAX_ATTEMPTS = 6
const SHARE_OF_ORDER_QUESTIONS = 0.6

/** The function that drafts each type, and the type's difficulty. A draft is `null` where the points do not allow it. */
const DRAFTERS: Readonly<Record<QuestionType, readonly [Drafter, HalumemQuestion['difficulty']]>> = {
  'Basic Fact Recall': [draftBasicFact, 'easy'],
  'Multi-hop Inference': [draftMultiHop, 'hard'],
  'Dynamic Update': [draftDynamicUpdate, 'medium'],
  'Memory Boundary': [draftBoundary, 'medium'],
  'Memory Conflict': [draftConflict, 'medium'],
  'Generalization & Application': [draftApplication, 'medium'],
}

/** Makes a unit's questions, as many per type as {@link allocateQuestions} says; other types fill up where points lack. */
export function makeQuestions(
  context: QuestionContext,
  unit: QuestionUnit,
  points: readonly Point[],
): HalumemQuestion[] {
  const { draw } = context.voice
  const currentPoints = points.filter((point) => context.book.isCurrent(point))
  const possible = QUESTION_TYPES.filter((type) => DRAFTERS[type][0](context, currentPoints) !== null)
  const allocated = allocateQuestions(draw, unit, possible)
  const questions: HalumemQuestion[] = []
  let missing = 0
  for (const [type, count] of allocated)
    missing += addQuestions({ context, type, points: currentPoints, questions }, count)
  for (const type of draw.shuffled([...allocated.keys()]))
    missing = addQuestions({ context, type, points: currentPoints, questions }, missing)
  return questions
}

/** The types of questions about an event of each kind. */
const TYPES_OF_EVENTS: Readonly<Record<LifeEvent['kind'], readonly QuestionType[]>> = {
  init: ['Basic Fact Recall', 'Memory Boundary', 'Memory Conflict'],
  daily: ['Basic Fact Recall', 'Memory Boundary', 'Generalization & Application', 'Memory Conflict'],
  career: QUESTION_TYPES,
}

/** Defaults of the published script: questions of a one-stage event, more for each further stage, types, weights of types. */
const BASE_COUNT = 3
const PER_STAGE = { least: 1, most: 3 } as const
const TYPE_COUNT = { least: 2, most: 4 } as const
const TYPE_WEIGHT = { least: 1, most: 3 } as const

/** Decides how many questions of which types an event gets (HaluMem, stage 6). The numbers are those of the published script. */
function allocateQuestions(
  draw: Draw,
  { kind, eventIndexes }: QuestionUnit,
  possible: readonly QuestionType[],
): Map<QuestionType, number> {
  const allowed = TYPES_OF_EVENTS[kind].filter((type) => possible.includes(type))
  if (allowed.length === 0) return new Map()
  const wanted = Math.round(
    BASE_COUNT + draw.real(PER_STAGE.least, PER_STAGE.most) * (eventIndexes.length - 1),
  )
  const typeCount = Math.min(draw.whole(TYPE_COUNT.least, TYPE_COUNT.most), wanted, allowed.length)
  const chosen = draw.shuffled(allowed).slice(0, typeCount)
  const weights = chosen.map(() => draw.real(TYPE_WEIGHT.least, TYPE_WEIGHT.most))
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0)
  const counts = weights.map((weight) => 1 + Math.round(((wanted - typeCount) * weight) / totalWeight))
  // Rounding may give too many or too few: changes random counts by one until the sum is right.
  for (let excess = sum(counts) - wanted; excess !== 0; excess = sum(counts) - wanted) {
    const index = draw.pick(counts.flatMap((count, at) => (excess < 0 || count > 1 ? [at] : [])))
    counts[index] = (counts[index] ?? 0) - Math.sign(excess)
  }
  return new Map(chosen.map((type, index) => [type, counts[index] ?? 1]))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

interface TypeInput {
  readonly context: QuestionContext
  readonly type: QuestionType
  readonly points: readonly Point[]
  /** Questions of the event so far; extended here. */
  readonly questions: HalumemQuestion[]
}

/** @returns the number of wanted questions that could not be made */
function addQuestions({ context, type, points: stated, questions }: TypeInput, wanted: number): number {
  const [makeDraft, difficulty] = DRAFTERS[type]
  let missing = wanted
  for (let attempts = 0; missing > 0 && attempts < MAX_ATTEMPTS * wanted; attempts += 1) {
    const draft = makeDraft(context, stated)
    if (draft === null || questions.some(({ question }) => question === draft.question)) continue
    const { question, answer, evidence } = draft
    questions.push({ question, answer, evidence: evidence.map(evidenceOf), difficulty, question_type: type })
    missing -= 1
  }
  return missing
}

function pickOrNull<Item>(draw: Draw, items: readonly Item[]): Item | null {
  return items.length === 0 ? null : draw.pick(items)
}

function draftBasicFact({ voice }: QuestionContext, points: readonly Point[]): QuestionDraft | null {
  const stated = points.filter((point) => isStated(point) && !point.isEnd && point.replaces.length === 0)
  const askable = stated.filter(({ subject }) => subject.ask !== undefined)
  const point = pickOrNull(voice.draw, askable)
  return point && { question: point.subject.ask ?? '', answer: point.text, evidence: [point] }
}

/** Asks which of two events came first, or combines two facts in one question. */
function draftMultiHop({ voice, book }: QuestionContext): QuestionDraft | null {
  const { draw } = voice
  const { frames } = voice.material.words
  const events = book.stated.filter(({ point }) => point.type === 'event' && point.replaces.length === 0)
  const notFirst = events.filter(({ session }) => session > (events[0]?.session ?? 0))
  const later = pickOrNull(draw, notFirst)
  if (later !== null && draw.chance(SHARE_OF_ORDER_QUESTIONS)) {
    const earlier = draw.pick(events.filter(({ session }) => session < later.session))
    const [a = '', b = ''] = draw.shuffled([earlier.point.text, later.point.text]).map(asClause)
    const evidence = [earlier.point, later.point]
    return { question: voice.phrase(frames.first, { a, b }), answer: earlier.point.text, evidence }
  }
  const askable = [...book.current.values()].filter(({ subject }) => subject.ask !== undefined)
  const [one, other] = draw.shuffled(askable)
  if (one === undefined || other === undefined) return null
  const [ask1 = '', ask2 = ''] = [one.subject.ask, other.subject.ask]
  const question = voice.phrase(frames.both, { ask1, ask2: lowerFirst(ask2) })
  return { question, answer: voice.join(one.text, other.text), evidence: [one, other] }
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

function draftDynamicUpdate({ voice }: QuestionContext, points: readonly Point[]): QuestionDraft | null {
  const updates = points.filter((point) => isStated(point) && point.replaces.length > 0)
  const askable = updates.filter(({ isEnd, subject }) => isEnd || subject.ask !== undefined)
  const point = pickOrNull(voice.draw, askable)
  if (point === null) return null
  const { text, isEnd, subject, replaces } = point
  const [before = ''] = replaces
  const change = isEnd ? { before, gone: text } : { ask: subject.ask ?? '', after: text }
  return { ...voice.askChange(change), evidence: [point] }
}

function draftBoundary({ voice }: QuestionContext, points: readonly Point[]): QuestionDraft | null {
  const near = points.filter(
    (point) => isStated(point) && !point.isEnd && point.subject.unknown !== undefined,
  )
  const point = pickOrNull(voice.draw, near)
  const answer = voice.material.words.frames.unknown
  return point && { question: point.subject.unknown ?? '', answer, evidence: [] }
}

/** Asks with a false premise: a claim of the agent, or an outdated fact. */
function draftConflict({ voice, book }: QuestionContext, points: readonly Point[]): QuestionDraft | null {
  const { draw } = voice
  const { frames } = voice.material.words
  const claimed = points.flatMap((point) => {
    const truth = book.current.get(point.subject.key)
    return point.source === 'interference' && truth !== undefined && !truth.subject.repeats
      ? [{ claim: point.text, truth }]
      : []
  })
  const outdated = points.flatMap((truth) => truth.replaces.slice(0, 1).map((claim) => ({ claim, truth })))
  const premise = pickOrNull(draw, claimed) ?? pickOrNull(draw, outdated)
  if (premise === null) return null
  const { claim, truth } = premise
  return {
    question: voice.sentence(draw.pick(frames.conflict), { claim: asClause(claim) }),
    answer: voice.phrase(frames.conflictAnswer, { memory: truth.text }),
    evidence: [truth],
  }
}

function draftApplication({ voice, book }: QuestionContext): QuestionDraft | null {
  const tastes = [...book.current.values()].filter(({ subject }) => subject.apply !== undefined)
  const point = pickOrNull(voice.draw, tastes)
  if (point?.subject.apply === undefined) return null
  const { question, advice: answer } = point.subject.apply
  return { question, answer, evidence: [point] }
}

function isStated({ source }: Point): boolean {
  return source === 'primary' || source === 'secondary'
}
