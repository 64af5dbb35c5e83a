import type { Draw } from '@keepsake/bench/parts'
import {
  definite,
  readMaterial,
  sentenceCase,
  type Material,
  type TalkLanguage,
  type ThemeRecord,
} from '@keepsake/bench-generators'
import type { UpdateExample } from './example.ts'
import type { Mentions } from './own-words.ts'

/** How a list holds what was told: in the words of its telling, or as the plain statement of the generator. */
export const LIST_FORMS = ['told', 'stated'] as const
export type ListForm = (typeof LIST_FORMS)[number]

interface Listed {
  readonly memory: string
  readonly text: string
  /** The plain statement. */
  readonly stated: string
}

/** A theme's talk, round by round, with what was known before each. */
export function* walkTheme(theme: ThemeRecord, form: ListForm) {
  let known: Listed[] = []
  for (const operation of theme.operations) {
    const { kind, before, after } = operation
    const memory = operation.memory ?? ''
    const said = theme.dialogue[operation.turn]?.text ?? ''
    const place = known.findIndex((one) => one.memory === memory)
    yield { kind, said, known, target: kind === 'add' ? null : place, about: after ?? before ?? '' }
    const now = { memory, text: form === 'told' ? said : (after ?? ''), stated: after ?? '' }
    if (kind === 'add') known = [...known, now]
    if (kind === 'modify') known = known.with(place, now)
    if (kind === 'delete') known = known.toSpliced(place, 1)
  }
}

/** The rounds of a theme, as they are. */
export function themeExamples(theme: ThemeRecord, form: ListForm, kinds: FactKinds): UpdateExample[] {
  return [...walkTheme(theme, form)].map(({ kind, said, known, target, about }) => ({
    language: theme.language,
    said,
    known: known.map(({ text }) => text),
    kind,
    target,
    group: kinds.find(about)?.id ?? '',
    weight: 1,
  }))
}

/** Which kind of fact a plain statement is, and the value it says. */
export class FactKinds {
  readonly #language: TalkLanguage
  readonly #kinds: readonly { readonly id: string; readonly pattern: RegExp }[]

  constructor({ language, facts, themeFacts }: Material) {
    this.#language = language
    this.#kinds = [...facts, ...themeFacts].map(({ id, memory }) => ({ id, pattern: patternOf(memory) }))
  }

  find(statement: string): { readonly id: string; readonly value: string } | null {
    for (const { id, pattern } of this.#kinds) {
      const value = pattern.exec(statement)?.groups?.['value']
      if (value !== undefined) return { id, value: definite(value, this.#language) }
    }
    return null
  }
}

function patternOf(template: string): RegExp {
  const parts = template.split(/(\{\w+\})/).map((part) => {
    if (part === '{value}') return '(?<value>.+)'
    return part.startsWith('{') ? '.+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`, 'iu')
}

/** Kinds whose value is something done, which does not stand where a thing is named. */
const DOINGS: ReadonlySet<string> = new Set(['theme-goal', 'plan', 'mishap'])
const SHARE_OF_MENTIONS = 0.45
const SHARE_OF_SMALL_TALK = 0.12
const SHARE_OF_QUESTIONS = 0.05
/** Sentences of our own count a quarter of the generator's: that mentions are common is told by the threshold. */
const OWN_WEIGHT = 0.25
/** Mentions are held out in so many groups. */
const MENTION_GROUPS = 5

/** Rounds put between a theme's own that change nothing: something known is named, or nothing is. The generator has none. */
export function idleExamples(
  theme: ThemeRecord,
  form: ListForm,
  { kinds, mentions, draw }: { readonly kinds: FactKinds; readonly mentions: Mentions; readonly draw: Draw },
): UpdateExample[] {
  const { language } = theme
  const { words, unrelated } = readMaterial(language)
  return [...walkTheme(theme, form)].flatMap(({ known }): UpdateExample[] => {
    const idle = { language, known: known.map(({ text }) => text), kind: 'none', target: null } as const
    const found: UpdateExample[] = []
    const named =
      known.length > 0 && draw.chance(SHARE_OF_MENTIONS) ? kinds.find(draw.pick(known).stated) : null
    if (named !== null && !DOINGS.has(named.id)) {
      const place = draw.whole(0, mentions[language].length - 1)
      const said = sentenceCase((mentions[language][place] ?? '').replaceAll('{the}', named.value), language)
      found.push({ ...idle, said, group: `mention ${place % MENTION_GROUPS}`, weight: OWN_WEIGHT })
    }
    if (draw.chance(SHARE_OF_SMALL_TALK))
      found.push({ ...idle, said: draw.pick(words.small.train)[0], group: 'small talk', weight: 1 })
    if (draw.chance(SHARE_OF_QUESTIONS))
      found.push({ ...idle, said: draw.pick(unrelated).user, group: 'questions', weight: 1 })
    return found
  })
}
