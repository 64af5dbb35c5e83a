import type { Draw } from '../draw.ts'
import { asClause, fillTemplate, joinSentences, sentenceCase } from '../material/fill-template.ts'
import type { Material } from '../material/read-material.ts'
import type { Point, PointBook } from './point.ts'
import { QUESTION_TYPES, type HalumemQuestion, type QuestionType } from './published-form.ts'
import { publishedType } from './write-session.ts'

export interface QuestionContext {
  readonly draw: Draw
  readonly words: Material['words']
  readonly language: Material['language']
  readonly who: string
  /** What holds, this session included. */
  readonly book: PointBook
  /** How often each type was asked of this person so far; it is counted up here. */
  readonly asked: Map<QuestionType, number>
}

const PER_SESSION = { least: 3, most: 4 } as const

/**
 * Stage 6 without a language model: questions about what a session told, of the types that were asked least so far,
 * so that all six come up evenly.
 */
export function makeQuestions(context: QuestionContext, points: readonly Point[]): HalumemQuestion[] {
  const { draw, asked } = context
  const possible = draw
    .shuffled(QUESTION_TYPES)
    .flatMap((type) => {
      const question = makeQuestion(context, type, points)
      return question === null ? [] : [question]
    })
    .sort((a, b) => (asked.get(a.question_type) ?? 0) - (asked.get(b.question_type) ?? 0))
  const chosen = possible.slice(0, draw.whole(PER_SESSION.least, PER_SESSION.most))
  for (const { question_type: type } of chosen) asked.set(type, (asked.get(type) ?? 0) + 1)
  return chosen
}

function makeQuestion(
  context: QuestionContext,
  type: QuestionType,
  points: readonly Point[],
): HalumemQuestion | null {
  switch (type) {
    case 'Basic Fact Recall':
      return basicFact(context, points)
    case 'Multi-hop Inference':
      return multiHop(context)
    case 'Dynamic Update':
      return dynamicUpdate(context, points)
    case 'Memory Boundary':
      return boundary(context, points)
    case 'Memory Conflict':
      return conflict(context, points)
    case 'Generalization & Application':
      return application(context)
  }
}

function question(
  type: QuestionType,
  difficulty: HalumemQuestion['difficulty'],
  asked: string,
  answer: string,
  evidence: readonly Point[],
): HalumemQuestion {
  return {
    question: asked,
    answer,
    evidence: evidence.map((point) => ({
      memory_content: point.text,
      memory_type: publishedType(point.type),
    })),
    difficulty,
    question_type: type,
  }
}

function pickOr<Item>(draw: Draw, items: readonly Item[]): Item | null {
  return items.length === 0 ? null : draw.pick(items)
}

function basicFact({ draw }: QuestionContext, points: readonly Point[]): HalumemQuestion | null {
  const told = points.filter((point) => isTold(point) && !point.isEnd && point.replaces.length === 0)
  const point = pickOr(
    draw,
    told.filter(({ subject }) => subject.ask !== undefined),
  )
  return point === null
    ? null
    : question('Basic Fact Recall', 'easy', point.subject.ask ?? '', point.text, [point])
}

/** Which came first, or two things that have to be put together. */
function multiHop({ draw, words, language, who, book }: QuestionContext): HalumemQuestion | null {
  const { frames } = words
  const events = book.told.filter(({ point }) => point.type === 'event' && point.replaces.length === 0)
  const later = pickOr(
    draw,
    events.filter(({ session }) => session > (events[0]?.session ?? 0)),
  )
  if (later !== null && draw.chance(0.6)) {
    const earlier = draw.pick(events.filter(({ session }) => session < later.session))
    const [a, b] = draw.shuffled([earlier.point.text, later.point.text]).map(asClause)
    const asked = fillTemplate(frames.first, { who, a: a ?? '', b: b ?? '' })
    return question('Multi-hop Inference', 'hard', asked, earlier.point.text, [earlier.point, later.point])
  }
  const known = [...book.current.values()].filter(({ subject }) => subject.ask !== undefined)
  const [one, other] = draw.shuffled(known)
  if (one === undefined || other === undefined) return null
  const asked = fillTemplate(frames.both, {
    ask1: one.subject.ask ?? '',
    ask2: lowerFirst(other.subject.ask ?? ''),
  })
  return question('Multi-hop Inference', 'hard', asked, joinSentences([one.text, other.text], language), [
    one,
    other,
  ])
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

function dynamicUpdate({ draw, words }: QuestionContext, points: readonly Point[]): HalumemQuestion | null {
  const { frames } = words
  const updates = points.filter((point) => isTold(point) && point.replaces.length > 0)
  const point = pickOr(
    draw,
    updates.filter(({ isEnd, subject }) => isEnd || subject.ask !== undefined),
  )
  if (point === null) return null
  const [before = ''] = point.replaces
  return point.isEnd
    ? question(
        'Dynamic Update',
        'medium',
        fillTemplate(frames.still, { claim: asClause(before) }),
        fillTemplate(frames.stillNo, { memory: point.text }),
        [point],
      )
    : question(
        'Dynamic Update',
        'medium',
        fillTemplate(frames.now, { ask: point.subject.ask ?? '' }),
        point.text,
        [point],
      )
}

function boundary({ draw, words }: QuestionContext, points: readonly Point[]): HalumemQuestion | null {
  const near = points.filter((point) => isTold(point) && !point.isEnd && point.subject.unknown !== undefined)
  const point = pickOr(draw, near)
  return point === null
    ? null
    : question('Memory Boundary', 'medium', point.subject.unknown ?? '', words.frames.unknown, [])
}

/** A false premise: what the agent claimed, or what held before. */
function conflict(
  { draw, words, language, book }: QuestionContext,
  points: readonly Point[],
): HalumemQuestion | null {
  const { frames } = words
  const claimed = points.flatMap((point) => {
    const truth = book.current.get(point.subject.key)
    return point.source === 'interference' && truth !== undefined && truth.subject.repeats !== true
      ? [{ claim: point.text, truth }]
      : []
  })
  const outdated = points.flatMap((truth) => {
    const [claim] = truth.replaces
    return claim === undefined ? [] : [{ claim, truth }]
  })
  const premise = pickOr(draw, claimed) ?? pickOr(draw, outdated)
  if (premise === null) return null
  const asked = fillTemplate(draw.pick(frames.conflict), { claim: asClause(premise.claim) })
  const answer = fillTemplate(frames.conflictAnswer, { memory: premise.truth.text })
  return question('Memory Conflict', 'medium', sentenceCase(asked, language), answer, [premise.truth])
}

function application({ draw, book }: QuestionContext): HalumemQuestion | null {
  const tastes = [...book.current.values()].filter(({ subject }) => subject.apply !== undefined)
  const point = pickOr(draw, tastes)
  if (point?.subject.apply === undefined) return null
  const { question: asked, advice } = point.subject.apply
  return question('Generalization & Application', 'medium', asked, advice, [point])
}

function isTold({ source }: Point): boolean {
  return source === 'primary' || source === 'secondary'
}
