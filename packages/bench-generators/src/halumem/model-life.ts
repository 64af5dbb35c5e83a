import type { Draw } from '@keepsake/bench/parts'
import type { AskChecked } from '../ask-checked.ts'
import type { Prompt } from 'keepsake/preset'
import type { Redrafted } from '../generate-prompt.ts'
import { DAYS_A_SESSION } from './make-life.ts'
import type { TalkLanguage } from '../material/fact-kinds.ts'
import { drawUuid } from './persona.ts'
import type { LifeEvent } from './point.ts'
import { lifeSkeletonPrompt, type LifeSkeletonAnswer, type TasteChange } from './prompts/life-skeleton.ts'
import { narrateEventsPrompt } from './prompts/narrate-events.ts'
import { personaPrompt, type PersonaAnswer } from './prompts/persona.ts'
import { verifyDraftPrompt } from './prompts/verify-draft.ts'
import { personaInfo } from './published-form.ts'

/** A life as stages 4 to 6 need it: who it is, and what happens. */
export interface ModelStory {
  readonly uuid: string
  readonly who: string
  readonly personaInfo: string
  /** What of the person stays, in words. */
  readonly core: string
  /** The person on the first day in words, for prompts. */
  readonly persona: string
  readonly events: readonly LifeEvent[]
}

const STARTS_ON = '2025-09-04'
const DAY = 86_400_000
const SHARE_OF_CAREER = 0.55
/** Introductions, one a day. */
const INITIAL = 3
const LAST_INTRODUCTION = new Date(Date.parse(STARTS_ON) + (INITIAL - 1) * DAY).toISOString().slice(0, 10)

/** Has a draft checked, and asks once more with the faults found. */
async function askVerified<Input extends Redrafted, Output>(
  ask: AskChecked,
  prompt: Prompt<Input, Output>,
  input: Input,
): Promise<Output> {
  const draft = await ask(prompt, input)
  const [from, made] = [input, draft].map((one) => JSON.stringify(one))
  const { faults } = await ask(verifyDraftPrompt, { from: from ?? '', draft: made ?? '' })
  return faults.length === 0 ? draft : ask(prompt, { ...input, faults })
}

/** Stages 1 to 3 with a language model. @throws GenerateError when it gives no usable answer to one of them. */
export async function modelLife(
  ask: AskChecked,
  draw: Draw,
  { seed, sessions, language }: { seed: string; sessions: number; language: TalkLanguage },
): Promise<ModelStory> {
  const uuid = drawUuid(draw)
  const person = await askVerified(ask, personaPrompt, { seed, startsOn: STARTS_ON })
  const [core, state] = [coreLines(person), stateLines(person)]
  const tastes = person.preferences.map((one) => describeTastes(one, language))
  const persona = [...core, ...state, ...tastes].join('; ')
  const later = sessions - INITIAL
  const stages = Math.round(later * SHARE_OF_CAREER)
  const skeleton = await askVerified(ask, lifeSkeletonPrompt, {
    persona: [...core, ...state].join('; '),
    tastes: person.preferences,
    after: LAST_INTRODUCTION,
    until: new Date(Date.parse(LAST_INTRODUCTION) + later * DAYS_A_SESSION * DAY).toISOString().slice(0, 10),
    stages,
    tasteSteps: later - stages,
  })
  const steps = orderSteps(skeleton, language)
  const narrated = await ask(narrateEventsPrompt, { persona, steps: steps.map(({ step }) => step) })
  const events = steps.map(({ kind, name, at, unit }, place): LifeEvent => {
    const narration = narrated.events.find(({ number }) => number === place + 1)
    return {
      kind,
      name,
      at: at + draw.whole(8, 20) * 3_600_000,
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

/** The steps of both threads in the order of their days. */
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
  const at = Date.parse(STARTS_ON) + 9 * 3_600_000
  const titles =
    language === 'zh'
      ? ['初次自我介绍', '谈目前的状况', '谈喜好']
      : ['First introduction', 'On the present state', 'On tastes']
  return parts.map((lines, place) => {
    const name = titles[place] ?? ''
    return { kind: 'init', name, at: at + place * DAY, description: `${name}\n${lines.join('\n')}` }
  })
}

function coreLines(person: PersonaAnswer): string[] {
  const { name, gender, birthDate, location, education, personality, family, lifeGoal } = person
  return [name, gender, birthDate, location, education, personality.join(', '), ...family, lifeGoal]
}

function stateLines({ work, health, relationships }: PersonaAnswer): string[] {
  return [
    `${work.title}, ${work.employer}, ${work.monthlyIncome}`,
    health.body,
    health.mind,
    ...relationships.map(({ name, relation, about }) => `${name} (${relation}): ${about}`),
  ]
}

/** What is liked and disliked of one category, in words. */
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

/** A change of taste in words that leave no doubt whether something came to be liked or disliked. */
export function describeTasteChange(change: TasteChange, language: TalkLanguage): string {
  return language === 'zh' ? inChinese(change) : inEnglish(change)
}

function inEnglish({ category, attitude, before, after }: TasteChange): string {
  const over = before === null ? [] : [`no longer ${attitude} ${before}`]
  const fresh = after === null ? [] : [`${before === null ? 'newly' : 'now'} ${attitude} ${after}`]
  return `${category}: ${[...over, ...fresh].join(', ')}`
}

function inChinese({ category, attitude, before, after }: TasteChange): string {
  const [now, over] = attitude === 'likes' ? ['喜欢', '不再喜欢'] : ['不喜欢', '不再讨厌']
  const parts = [
    ...(before === null ? [] : [over + before]),
    ...(after === null ? [] : [(before === null ? '开始' : '现在') + now + after]),
  ]
  return `${category}：${parts.join('，')}`
}
