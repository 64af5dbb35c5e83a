import type { Draw } from '@keepsake/bench/parts'
import type { AskChecked } from '../ask-checked.ts'
import type { Prompt } from 'keepsake/preset'
import type { RedraftInput } from '../generate-prompt.ts'
import { DAY_MS, DAYS_PER_SESSION, HOUR_MS, SHARE_OF_CAREER } from './make-life.ts'
import type { TalkLanguage } from '../material/fact-kinds.ts'
import { drawUuid } from './persona.ts'
import type { LifeEvent } from './point.ts'
import { lifeSkeletonPrompt, type LifeSkeletonAnswer, type TasteChange } from './prompts/life-skeleton.ts'
import { narrateEventsPrompt } from './prompts/narrate-events.ts'
import { personaPrompt, type PersonaAnswer } from './prompts/persona.ts'
import { verifyDraftPrompt } from './prompts/verify-draft.ts'
import { personaInfo } from './published-form.ts'

/** A user and the events of their life, for stages 4 to 6. */
export interface ModelStory {
  readonly uuid: string
  readonly who: string
  readonly personaInfo: string
  /** Facts of the user that never change, as a text. */
  readonly core: string
  /** A description of the user on the first day. */
  readonly persona: string
  readonly events: readonly LifeEvent[]
}

const STARTS_ON = '2025-09-04'
/** The first sessions introduce the user, one a day. */
const INTRODUCTIONS = 3
const LAST_INTRODUCTION = dayAfter(STARTS_ON, INTRODUCTIONS - 1)

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Asks for a draft, asks for its faults, and asks for a new draft if there are any. */
async function askVerified<Input extends RedraftInput, Output>(
  ask: AskChecked,
  prompt: Prompt<Input, Output>,
  input: Input,
): Promise<Output> {
  const draft = await ask(prompt, input)
  const { faults } = await ask(verifyDraftPrompt, {
    from: JSON.stringify(input),
    draft: JSON.stringify(draft),
  })
  return faults.length === 0 ? draft : ask(prompt, { ...input, faults })
}

/** Makes a life with a language model (HaluMem's stages 1 to 3: persona, course of life, events). */
export async function modelLife(
  ask: AskChecked,
  draw: Draw,
  { seed, sessions, language }: { seed: string; sessions: number; language: TalkLanguage },
): Promise<ModelStory> {
  const uuid = drawUuid(draw)
  const person = await askVerified(ask, personaPrompt, { seed, startsOn: STARTS_ON })
  const core = coreLines(person)
  const state = stateLines(person)
  const tastes = person.preferences.map((one) => describeTastes(one, language))
  const persona = [...core, ...state, ...tastes].join('; ')
  const eventCount = sessions - INTRODUCTIONS
  const stages = Math.round(eventCount * SHARE_OF_CAREER)
  const skeleton = await askVerified(ask, lifeSkeletonPrompt, {
    persona: [...core, ...state].join('; '),
    tastes: person.preferences,
    after: LAST_INTRODUCTION,
    until: dayAfter(LAST_INTRODUCTION, eventCount * DAYS_PER_SESSION),
    stages,
    tasteSteps: eventCount - stages,
  })
  const steps = orderSteps(skeleton, language)
  const narrated = await ask(narrateEventsPrompt, { persona, steps: steps.map(({ step }) => step) })
  const events = steps.map(({ kind, name, at, unit }, index): LifeEvent => {
    const narration = narrated.events.find(({ number }) => number === index + 1)
    return {
      kind,
      name,
      at: at + draw.whole(8, 20) * HOUR_MS,
      description: narration?.description ?? '',
      ...(unit === null ? {} : { unit }),
    }
  })
  return {
    uuid,
    who: person.name,
    personaInfo: personaInfo({
      Name: person.name,
      Gender: person.gender,
      'Birth Date': person.birthDate,
      Location: person.location,
      Education: person.education,
      'Life Goal': person.lifeGoal,
    }),
    core: core.join('; '),
    persona,
    events: [...introductions(language, [core, state, tastes]), ...events],
  }
}

/** Merges career stages and taste changes, ordered by day. */
function orderSteps({ careerEvents, tasteSteps }: LifeSkeletonAnswer, language: TalkLanguage) {
  const career = careerEvents.flatMap((event) =>
    event.stages.map((stage) => ({
      kind: 'career' as const,
      name: `${event.name}: ${stage.name}`,
      unit: event.name,
      at: Date.parse(stage.day),
      step: `${stage.day} ${event.name}: ${stage.name}. ${stage.changes}`,
    })),
  )
  const tastes = tasteSteps.map((change) => {
    const name = describeTasteChange(change, language)
    return {
      kind: 'daily' as const,
      unit: null,
      name,
      at: Date.parse(change.day),
      step: `${change.day} ${name}`,
    }
  })
  return [...career, ...tastes].sort((a, b) => a.at - b.at)
}

function introductions(language: TalkLanguage, parts: readonly (readonly string[])[]): LifeEvent[] {
  const at = Date.parse(STARTS_ON) + 9 * HOUR_MS
  const titles =
    language === 'zh'
      ? ['初次自我介绍', '谈目前的状况', '谈喜好']
      : ['First introduction', 'On the present state', 'On tastes']
  return parts.map((lines, index) => {
    const name = titles[index] ?? ''
    return { kind: 'init', name, at: at + index * DAY_MS, description: `${name}\n${lines.join('\n')}` }
  })
}

/** Lists the facts that never change. */
function coreLines(person: PersonaAnswer): string[] {
  const { name, gender, birthDate, location, education, personality, family, lifeGoal } = person
  return [name, gender, birthDate, location, education, personality.join(', '), ...family, lifeGoal]
}

/** Lists the facts that may change: work, health and relationships. */
function stateLines({ work, health, relationships }: PersonaAnswer): string[] {
  return [
    `${work.title}, ${work.employer}, ${work.monthlyIncome}`,
    health.body,
    health.mind,
    ...relationships.map(({ name, relation, about }) => `${name} (${relation}): ${about}`),
  ]
}

/** Describes the tastes of one category: `drinks: likes tea, coffee; dislikes beer`. */
export function describeTastes(
  { category, likes, dislikes }: PersonaAnswer['preferences'][number],
  language: TalkLanguage,
): string {
  const [colon, comma, between] = language === 'zh' ? ['：', '、', '；'] : [': ', ', ', '; ']
  const [like, dislike] = language === 'zh' ? ['喜欢', '不喜欢'] : ['likes ', 'dislikes ']
  const parts = [
    ...(likes.length === 0 ? [] : [like + likes.join(comma)]),
    ...(dislikes.length === 0 ? [] : [dislike + dislikes.join(comma)]),
  ]
  return category + colon + parts.join(between)
}

/** Describes a change of taste: `drinks: no longer likes tea, now likes coffee`. */
export function describeTasteChange(change: TasteChange, language: TalkLanguage): string {
  return language === 'zh' ? describeInChinese(change) : describeInEnglish(change)
}

function describeInEnglish({ category, attitude, before, after }: TasteChange): string {
  const ended = before === null ? [] : [`no longer ${attitude} ${before}`]
  const started = after === null ? [] : [`${before === null ? 'newly' : 'now'} ${attitude} ${after}`]
  return `${category}: ${[...ended, ...started].join(', ')}`
}

function describeInChinese({ category, attitude, before, after }: TasteChange): string {
  const [likes, noLongerLikes] = attitude === 'likes' ? ['喜欢', '不再喜欢'] : ['不喜欢', '不再讨厌']
  const parts = [
    ...(before === null ? [] : [noLongerLikes + before]),
    ...(after === null ? [] : [(before === null ? '开始' : '现在') + likes + after]),
  ]
  return `${category}：${parts.join('，')}`
}
