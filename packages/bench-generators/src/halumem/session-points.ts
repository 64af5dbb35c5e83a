import type { Draw } from '../draw.ts'
import type { BySplit, Split } from '../material/fact-kind.ts'
import { fillTemplate, sentenceCase, type Speak } from '../material/fill-template.ts'
import type { Material } from '../material/read-material.ts'
import type { TemplateEvent } from './event-flow.ts'
import type { PersonFacts } from './person-facts.ts'
import { sayBirthDate, type Persona } from './persona.ts'
import type { Point, PointSource, PointType } from './point.ts'

export interface SessionPointsContext {
  readonly draw: Draw
  readonly speak: Speak
  readonly split: Split
  readonly material: Material
  readonly persona: Persona
  readonly facts: PersonFacts
  /** Proposals of the agent that were not made yet. */
  readonly proposals: string[]
}

/** Points a session tells, interference apart. With it there are six to ten, as in the paper's middle. */
const TOLD = { least: 6, most: 8 } as const
const DYNAMIC_START = ['city', 'job', 'employer', 'boss', 'partner', 'friend', 'ailment'] as const
const SHARE_WITH_PROPOSAL = 0.35
const SHARE_WITH_TWO_CLAIMS = 0.4

/**
 * Stage 4 without a language model: what a session leaves. The event's own points are `primary`, what comes up
 * beside them `secondary`, what the agent proposes and the person takes up `system`, and what the agent merely
 * claims `interference`.
 */
export function makeSessionPoints(context: SessionPointsContext, event: TemplateEvent): Point[] {
  const { draw } = context
  const told = primaryPoints(context, event)
  const target = Math.max(told.length, draw.whole(TOLD.least, TOLD.most))
  const kept = event.kind === 'init' ? keptForIntroductions(context) : []
  const touched = new Set([...kept, ...told.map(({ subject }) => subject.key)])
  while (told.length < target) {
    const point = secondaryPoint(context, touched)
    if (point === null) break
    touched.add(point.subject.key)
    told.push(point)
  }
  return [...told, ...proposalPoint(context), ...claims(context)]
}

/** What the introductions tell in sessions of their own is not told in passing before. */
function keptForIntroductions({ persona }: SessionPointsContext): string[] {
  return [...DYNAMIC_START, ...persona.preferences.map(({ id }) => `like/${id}`)]
}

function primaryPoints(context: SessionPointsContext, event: TemplateEvent): Point[] {
  const { facts, persona } = context
  switch (event.about) {
    case 'fixed':
      return corePoints(context)
    case 'dynamic':
      return present(DYNAMIC_START.map((key) => facts.tell(key, 'primary')))
    case 'preferences':
      return present(persona.preferences.map(({ id }) => facts.tell(`like/${id}`, 'primary')))
    case 'taste':
      return tastePoints(facts, event.step)
    case 'career':
      return careerPoints(context, event)
  }
}

function present(points: readonly (Point | null)[]): Point[] {
  return points.filter((point) => point !== null)
}

function tastePoints(
  facts: PersonFacts,
  { category, direction }: { category: string; direction: string },
): Point[] {
  const like = `like/${category}`
  const dislike = `dislike/${category}`
  const change = (): Point | null => facts.change(like, 'primary')
  const add = (): Point | null =>
    facts.untold.includes(like) ? facts.tell(like, 'primary') : tellOnce(facts, dislike)
  const drop = (): Point | null => facts.drop(like, 'primary') ?? facts.drop(dislike, 'primary')
  const orders = { Modify: [change, add, drop], Add: [add, change, drop], Delete: [drop, add, change] }
  for (const attempt of orders[direction as keyof typeof orders]) {
    const point = attempt()
    if (point !== null) return [point]
  }
  return []
}

function tellOnce(facts: PersonFacts, key: string): Point | null {
  return facts.untold.includes(key) ? facts.tell(key, 'primary') : null
}

function careerPoints(
  context: SessionPointsContext,
  { stage, career }: Extract<TemplateEvent, { about: 'career' }>,
): Point[] {
  const { reason } = stage
  const key = `${career}/${stage.id}`
  const changes = stage.changes.map((id) =>
    context.facts.known.includes(id)
      ? context.facts.change(id, 'primary')
      : context.facts.tell(id, 'primary'),
  )
  return [
    statedPoint(context, { ...stage, key, source: 'primary', type: 'event', importance: 0.9 }),
    statedPoint(context, {
      ...reason,
      tell: reason,
      key: `${key}/reason`,
      source: 'secondary',
      type: 'event',
      importance: 0.5,
    }),
    ...present(changes),
  ]
}

function secondaryPoint({ draw, facts }: SessionPointsContext, touched: ReadonlySet<string>): Point | null {
  const untold = facts.untold.filter((key) => !touched.has(key) && !facts.isRepeatable(key))
  const again = facts.untold.filter((key) => !touched.has(key) && facts.isRepeatable(key))
  const known = facts.known.filter((key) => !touched.has(key))
  const tell = (keys: readonly string[]) => () =>
    keys.length === 0 ? null : facts.tell(draw.pick(keys), 'secondary')
  const alter = (how: 'change' | 'drop') => () => {
    for (const key of draw.shuffled(known)) {
      const point = facts[how](key, 'secondary')
      if (point !== null) return point
    }
    return null
  }
  const roll = draw.whole(1, 20)
  const first =
    roll <= 8 ? tell(untold) : roll <= 13 ? tell(again) : roll <= 18 ? alter('change') : alter('drop')
  for (const attempt of [first, tell(untold), alter('change'), tell(again)]) {
    const point = attempt()
    if (point !== null) return point
  }
  return null
}

/** Who the person is: told in the first session. */
function corePoints(context: SessionPointsContext): Point[] {
  const { material, persona } = context
  const { words, language } = material
  const core = (id: 'born' | 'study' | 'father' | 'aim', value: string, type: PointType): Point => {
    const { memory, ask, tell } = words[id]
    return statedPoint(context, {
      memory,
      ask,
      tell,
      value,
      key: id,
      source: 'primary',
      type,
      importance: 0.8,
    })
  }
  return [
    statedPoint(context, {
      memory: words.introMemory,
      tell: words.intros,
      value: persona.name,
      key: 'name',
      source: 'primary',
      type: 'persona',
      importance: 1,
    }),
    core('born', sayBirthDate(persona.birthDate, language), 'persona'),
    core('study', persona.study, 'persona'),
    core('father', persona.father, 'relationship'),
    core('aim', persona.lifeGoal, 'persona'),
  ]
}

interface Stated {
  readonly memory: string
  readonly ask?: string
  readonly tell: BySplit
  readonly value: string
  readonly key: string
  readonly source: PointSource
  readonly type: PointType
  readonly importance: number
}

function statedPoint({ draw, speak, split, material, persona }: SessionPointsContext, stated: Stated): Point {
  const { memory, ask, tell, value, key, source, type, importance } = stated
  const { language, words } = material
  const slots = { who: persona.name, first: persona.firstName, value }
  const { text: said, template } = speak(tell, { id: key, split, language, slots })
  return {
    text: sentenceCase(fillTemplate(memory, slots), language),
    type,
    source,
    importance,
    replaces: [],
    isEnd: false,
    value,
    said,
    reply: draw.pick(words.replies.add),
    subject: { key, ...(ask === undefined ? {} : { ask: fillTemplate(ask, slots) }) },
    templates: [template],
  }
}

function proposalPoint({ draw, split, material, persona, proposals }: SessionPointsContext): Point[] {
  const value = draw.chance(SHARE_WITH_PROPOSAL) ? proposals.pop() : undefined
  if (value === undefined) return []
  const { words, language } = material
  const choices = words.proposals[split]
  const index = draw.whole(0, choices.length - 1)
  const [proposal = '', taken = ''] = choices[index] ?? []
  const slots = { who: persona.name, value }
  const said = (template: string) => sentenceCase(fillTemplate(template, slots), language)
  return [
    {
      text: said(words.proposalMemory),
      type: 'event',
      source: 'system',
      importance: 0.4,
      replaces: [],
      isEnd: false,
      value,
      said: said(taken),
      reply: said(proposal),
      subject: { key: `proposal/${value}` },
      templates: [`proposal/${split}/${index}`],
    },
  ]
}

function claims({ draw, facts }: SessionPointsContext): Point[] {
  const count = draw.chance(SHARE_WITH_TWO_CLAIMS) ? 2 : 1
  return present(Array.from({ length: count }, () => facts.falseClaim()))
}
