import { firstPerson } from './first-person.ts'
import { sayBirthDate } from './persona.ts'
import type { LifeEvent, Point } from './point.ts'
import type { PublishedSpeech } from './published-speech.ts'
import type {
  PublishedLife,
  PublishedProfile,
  PublishedStage,
  PublishedTaste,
  PublishedTasteEvent,
} from './read-published-stages.ts'
import type { PlannedSession } from './template-user.ts'

const DAY = 86_400_000
const MORNING = 9 * 3_600_000
/** Tastes of the introduction are told over several sessions: there are about thirty. */
const TASTES_PER_SESSION = 8

/** Name and description of a person, as the published dialogue files give them. */
export function personFromFiles({ profile }: PublishedLife): { who: string; personaInfo: string } {
  const { basic_info: basic, education, life_goal: goal } = profile.fixed
  const personaInfo = [
    `Name: ${basic.name}`,
    `Gender: ${basic.gender}`,
    `Birth Date: ${basic.birth_date}`,
    `Location: ${basic.location}`,
    `Education: ${education.highest_degree}, ${education.major}`,
    `Life Goal: ${goal.statement}`,
  ].join('; ')
  return { who: basic.name, personaInfo }
}

/** The sessions of a published life, in order of time. Points must be taken in that order. */
export function planPublished(life: PublishedLife, speech: PublishedSpeech): PlannedSession[] {
  const init = introductions(life, speech)
  const startsAt = life.startsAt + init.length * DAY
  const stages = life.arcs.flatMap(({ event_name: arc, stages: own }) =>
    own.map((stage) => ({
      at: atMorning(Date.parse(stage.time_point), startsAt),
      plan: planStage(arc, stage, speech),
    })),
  )
  const end = Math.max(startsAt + DAY, ...stages.map(({ at }) => at))
  const step = (end - startsAt) / (life.tasteEvents.length + 1)
  const tastes = life.tasteEvents.map((event, place) => ({
    at: atMorning(startsAt + (place + 1) * step, startsAt),
    plan: planTaste(event, speech),
  }))
  const later = [...stages, ...tastes].sort((a, b) => a.at - b.at)
  return [...init, ...later.map(({ at, plan }) => plan(at))]
}

function atMorning(at: number, earliest: number): number {
  const day = Math.floor(Math.max(at, earliest) / DAY) * DAY
  return day + MORNING + DAY / 4
}

type Plan = (at: number) => PlannedSession

function introductions(life: PublishedLife, speech: PublishedSpeech): PlannedSession[] {
  const { profile, startsAt } = life
  const all = Object.entries(profile.preferences).flatMap(([label, { memory_points: points }]) =>
    points.map((taste) => ({ label: shortLabel(label), taste })),
  )
  const chunks = Array.from({ length: Math.ceil(all.length / TASTES_PER_SESSION) }, (_, place) =>
    all.slice(place * TASTES_PER_SESSION, (place + 1) * TASTES_PER_SESSION),
  )
  const parts: (readonly [string, () => Point[]])[] = [
    ['the person', () => tellPerson(profile, speech)],
    ['the present state', () => tellState(profile.dynamic, speech)],
    ...chunks.map(
      (chunk) =>
        ['tastes', () => chunk.flatMap(({ label, taste }) => tellTaste(label, taste, speech))] as const,
    ),
  ]
  return parts.map(([about, points], place) => {
    const name = `Initial information: ${about}`
    const event: LifeEvent = { kind: 'init', name, at: startsAt + place * DAY + MORNING, description: name }
    return { event, points }
  })
}

function tellPerson({ fixed }: PublishedProfile, speech: PublishedSpeech): Point[] {
  const { basic_info: basic, education, family_life: family, life_goal: goal } = fixed
  const [year = 0, month = 0, day = 0] = basic.birth_date.split('-').map(Number)
  const members = [
    ...(family.parent_members ?? []),
    ...(family.partner ? [family.partner] : []),
    ...(family.child_members ?? []),
  ]
  return [
    ...speech.tell({
      kind: 'name',
      key: 'name',
      value: basic.name,
      slots: { first: basic.name.split(' ')[0] ?? '' },
    }),
    ...speech.tell({ kind: 'born', key: 'born', value: sayBirthDate([year, month, day], 'en') }),
    ...speech.tell({ kind: 'city', key: 'city', value: basic.location }),
    ...speech.tell({ kind: 'study', key: 'study', value: education.major }),
    ...speech.tell({ kind: 'aim', key: 'aim', value: withoutStop(lowerFirst(goal.statement)) }),
    ...members.flatMap(({ member_type: member, description }) =>
      speech.tell({
        kind: 'parent',
        key: `family/${member}`,
        value: firstPerson(description, basic.name),
        slots: { member: member.replace(/\d+$/, '').toLowerCase(), fact: description },
      }),
    ),
  ]
}

function tellState(dynamic: PublishedProfile['dynamic'], speech: PublishedSpeech): Point[] {
  const relations = Object.entries(dynamic.social_relationships).flatMap(
    ([name, { relationship_type: value }]) =>
      speech.tell({
        kind: 'relation',
        key: `relation/${name}`,
        value: value.toLowerCase(),
        slots: { member: spacedName(name) },
      }),
  )
  return [
    ...tellCareer(dynamic.career_status, speech),
    ...tellHealth(dynamic.health_status, speech),
    ...relations,
  ]
}

type Fields = Readonly<Record<string, unknown>>

function tellCareer(career: Fields, speech: PublishedSpeech): Point[] {
  const [job, company, income] = [career['job_title'], career['company_name'], career['monthly_income']]
  const employment = typeof job === 'string' && job !== '' ? employed(job, company) : ''
  return [
    ...speech.tell({ kind: 'employment', key: 'employment', value: employment }),
    ...(typeof income === 'number'
      ? speech.tell({ kind: 'income', key: 'income', value: String(income) })
      : []),
  ]
}

function employed(job: string, company: unknown): string {
  return typeof company === 'string' && company !== '' ? `${job} at ${company}` : job
}

function tellHealth(health: Fields, speech: PublishedSpeech): Point[] {
  const of = (kind: 'physical' | 'mental') => {
    const value = health[`${kind}_health`]
    return typeof value === 'string' ? speech.tell({ kind, key: kind, value }) : []
  }
  return [...of('physical'), ...of('mental')]
}

/** Published files write `ThomasSusan` for Susan Thomas. */
function spacedName(name: string): string {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(' ')
    .reverse()
    .join(' ')
}

/** `Game Preference` is a matter of games. */
function shortLabel(label: string): string {
  return label.replace(/ Preference$/, '').toLowerCase()
}

function tasteKey(label: string, item: string): string {
  return `${label}/${item}`
}

function tellTaste(
  label: string,
  { type, specific_item: item, reason }: PublishedTaste,
  speech: PublishedSpeech,
): Point[] {
  return speech.tell({
    kind: type,
    key: tasteKey(label, item),
    value: lowerFirst(item),
    slots: { label, reason },
  })
}

function planTaste(event: PublishedTasteEvent, speech: PublishedSpeech): Plan {
  const { event_name: name, event_description: description, update_reason: why } = event
  const label = shortLabel(event.preference_type)
  const [before] = event.before_preference?.memory_points ?? []
  const [after] = event.after_preference?.memory_points ?? []
  const points = (): Point[] => {
    const reason = why
    if (event.update_direction === 'Delete' && before !== undefined)
      return speech.drop({
        kind: before.type,
        key: tasteKey(label, before.specific_item),
        value: before.specific_item,
        slots: { label, reason },
      })
    if (after === undefined) return []
    const to = tasteKey(label, after.specific_item)
    if (before !== undefined) speech.move(tasteKey(label, before.specific_item), to)
    return speech.tell({
      kind: after.type,
      key: to,
      value: lowerFirst(after.specific_item),
      slots: { label, reason: after.reason },
    })
  }
  const told = `${speech.who} says: ${description}`
  const story = (): Point[] => tellStory('stage', `${name}/${label}`, description, speech, told)
  return (at) => ({
    event: { kind: 'daily', name, at, description },
    points: () => [...points(), ...story()],
  })
}

/** A taste's story is in the first person already; a stage's is about the person. */
function tellStory(
  kind: 'stage' | 'reason' | 'result',
  key: string,
  text: string,
  speech: PublishedSpeech,
  fact: string = text,
): Point[] {
  const source = kind === 'reason' ? 'secondary' : 'primary'
  const value = firstPerson(text, speech.who)
  return speech.tell({ kind, key: `${kind}/${key}`, value, source, slots: { fact } })
}

function planStage(arc: string, stage: PublishedStage, speech: PublishedSpeech): Plan {
  const name = `${arc}: ${stage.stage_name}`
  const description = `${stage.stage_description} ${stage.stage_result}`.trim()
  const points = (): Point[] => [
    ...tellStory('stage', name, stage.stage_description, speech),
    ...tellStory('result', name, stage.stage_result, speech),
    ...stage.dynamic_updates.flatMap(({ type_to_update: type, update_reason: why, after_dynamic: after }) => [
      ...tellStory('reason', `${name}/${type}`, why, speech),
      ...tellUpdate(type, after, speech),
    ]),
  ]
  return (at) => ({ event: { kind: 'career', name, at, description }, points })
}

function tellUpdate(type: string, after: Fields, speech: PublishedSpeech): Point[] {
  if (type === 'career_status') return tellCareer(after, speech)
  if (type === 'health_status') return tellHealth(after, speech)
  return Object.entries(after).flatMap(([name, value]) => {
    const relation =
      typeof value === 'object' && value !== null && 'relationship_type' in value
        ? value.relationship_type
        : null
    if (typeof relation !== 'string') return []
    return speech.tell({
      kind: 'relation',
      key: `relation/${name}`,
      value: relation.toLowerCase(),
      slots: { member: spacedName(name) },
    })
  })
}

function lowerFirst(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text
}

function withoutStop(text: string): string {
  return text.replace(/\.\s*$/, '')
}
