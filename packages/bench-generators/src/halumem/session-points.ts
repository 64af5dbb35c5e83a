import type { ToldKind } from '../material/fact-kinds.ts'
import type { Voice } from '../material/voice.ts'
import type { TasteStep, TemplateEvent } from './make-life.ts'
import type { PersonFacts } from './person-facts.ts'
import { sayBirthDate, type Persona } from './persona.ts'
import { tellPoint, type Point, type PointType, type Telling } from './point.ts'

interface SessionPointsContext {
  readonly voice: Voice
  readonly persona: Persona
  readonly facts: PersonFacts
  /** The agent's unused proposals. */
  readonly proposals: string[]
}

/** Points of a session, without interference. With it there are six to ten, as in the paper's middle. */
const POINTS_A_SESSION = { least: 6, most: 8 } as const
const DYNAMIC_START = ['city', 'job', 'employer', 'boss', 'partner', 'friend', 'ailment'] as const
const SHARE_WITH_PROPOSAL = 0.35
const SHARE_WITH_TWO_CLAIMS = 0.4

/**
 * Stage 4 without a language model: what a session leaves. The event's own points are `primary`, others `secondary`, accepted proposals of
 * the agent `system`, and its mere claims `interference`.
 */
export function makeSessionPoints(context: SessionPointsContext, event: TemplateEvent): Point[] {
  const { draw } = context.voice
  const points = primaryPoints(context, event)
  const target = Math.max(points.length, draw.whole(POINTS_A_SESSION.least, POINTS_A_SESSION.most))
  const touched = new Set(points.map(({ subject }) => subject.key))
  // Points of the introductions are not mentioned before their own sessions.
  const { preferences } = context.persona
  const kept = [...DYNAMIC_START, ...preferences.map(({ id }) => `like/${id}`)]
  if (event.kind === 'init') for (const key of kept) touched.add(key)
  while (points.length < target) {
    const point = secondaryPoint(context, touched)
    if (point === null) break
    touched.add(point.subject.key)
    points.push(point)
  }
  return [...points, ...proposalPoint(context), ...claims(context)]
}

function primaryPoints(context: SessionPointsContext, event: TemplateEvent): Point[] {
  const { facts, persona } = context
  switch (event.about) {
    case 'fixed':
      return corePoints(context)
    case 'dynamic':
      return DYNAMIC_START.flatMap((key) => facts.tell(key, 'primary') ?? [])
    case 'preferences':
      return persona.preferences.flatMap(({ id }) => facts.tell(`like/${id}`, 'primary') ?? [])
    case 'taste':
      return tastePoints(facts, event.step)
    case 'career':
      return careerPoints(context, event)
  }
}

function tastePoints(facts: PersonFacts, { category, direction }: TasteStep): Point[] {
  const like = `like/${category}`
  const dislike = `dislike/${category}`
  const change = () => facts.change(like, 'primary')
  const add = () => facts.tell(facts.untold.includes(like) ? like : dislike, 'primary')
  const drop = () => facts.drop(like, 'primary') ?? facts.drop(dislike, 'primary')
  const orders = { Modify: [change, add, drop], Add: [add, change, drop], Delete: [drop, add, change] }
  const point = firstOf(orders[direction])
  return point === null ? [] : [point]
}

/** The first attempt that succeeds; `null` when none does. */
function firstOf(attempts: readonly (() => Point | null)[]): Point | null {
  return attempts.reduce<Point | null>((point, attempt) => point ?? attempt(), null)
}

function careerPoints(
  { voice, facts }: SessionPointsContext,
  { stage, career }: Extract<TemplateEvent, { about: 'career' }>,
): Point[] {
  const { reason } = stage
  const key = `${career}/${stage.id}`
  const changes = stage.changes.flatMap(
    (id) => (facts.known.includes(id) ? facts.change(id, 'primary') : facts.tell(id, 'primary')) ?? [],
  )
  const own = { ...stage, type: 'event', importance: 0.9 } as const
  const why = { memory: reason.memory, tell: reason, type: 'event', importance: 0.5 } as const
  return [
    statedPoint(voice, own, { key, value: stage.value, source: 'primary' }),
    statedPoint(voice, why, { key: `${key}/reason`, value: reason.value, source: 'secondary' }),
    ...changes,
  ]
}

function secondaryPoint({ voice, facts }: SessionPointsContext, touched: ReadonlySet<string>): Point | null {
  const { draw } = voice
  const untold = facts.untold.filter((key) => !touched.has(key) && !facts.isRepeatable(key))
  const again = facts.untold.filter((key) => !touched.has(key) && facts.isRepeatable(key))
  const untouched = facts.known.filter((key) => !touched.has(key))
  const tell = (keys: readonly string[]) => () =>
    keys.length === 0 ? null : facts.tell(draw.pick(keys), 'secondary')
  const alter = (how: 'change' | 'drop') => () =>
    firstOf(draw.shuffled(untouched).map((key) => () => facts[how](key, 'secondary')))
  const roll = draw.whole(1, 20)
  const first =
    roll <= 8 ? tell(untold) : roll <= 13 ? tell(again) : roll <= 18 ? alter('change') : alter('drop')
  return firstOf([first, tell(untold), alter('change'), tell(again)])
}

/** The person's identity, stated in the first session. */
function corePoints({ voice, persona }: SessionPointsContext): Point[] {
  const { words, language } = voice.material
  const source = 'primary'
  const core = (key: 'born' | 'study' | 'father' | 'aim', value: string, type: PointType): Point =>
    statedPoint(voice, { ...words[key], type, importance: 0.8 }, { key, value, source })
  const name = { memory: words.introMemory, tell: words.intros, type: 'persona', importance: 1 } as const
  return [
    statedPoint(voice, name, { key: 'name', value: persona.name, source }),
    core('born', sayBirthDate(persona.birthDate, language), 'persona'),
    core('study', persona.study, 'persona'),
    core('father', persona.father, 'relationship'),
    core('aim', persona.lifeGoal, 'persona'),
  ]
}

/** A fact that is stated once, and never changes. */
function statedPoint(voice: Voice, kind: Omit<ToldKind, 'id'>, telling: Telling): Point {
  return tellPoint(voice, { ...kind, id: telling.key }, telling)
}

function proposalPoint({ voice, proposals }: SessionPointsContext): Point[] {
  const { draw, material, split } = voice
  const value = draw.chance(SHARE_WITH_PROPOSAL) ? proposals.pop() : undefined
  if (value === undefined) return []
  const { words } = material
  const index = draw.whole(0, words.proposals[split].length - 1)
  const [proposal = '', taken = ''] = words.proposals[split][index] ?? []
  voice.used.add(`proposal/${split}/${index}`)
  return [
    {
      text: voice.sentence(words.proposalMemory, { value }),
      type: 'event',
      source: 'system',
      importance: 0.4,
      replaces: [],
      isEnd: false,
      value,
      said: voice.sentence(taken, { value }),
      reply: voice.sentence(proposal, { value }),
      subject: { key: `proposal/${value}` },
    },
  ]
}

function claims({ voice, facts }: SessionPointsContext): Point[] {
  const count = voice.draw.chance(SHARE_WITH_TWO_CLAIMS) ? 2 : 1
  return Array.from({ length: count }, () => facts.falseClaim()).filter((claim) => claim !== null)
}
