import {
  generateMemDialogue,
  readMaterial,
  type TalkLanguage,
  type ThemeRecord,
} from '@keepsake/bench-generators'
import { seededDraw, type Draw } from '@keepsake/bench/parts'
import type { UpdateExample } from './example.ts'
import { readMentions, readRemarks } from './own-words.ts'
import {
  FactKinds,
  LIST_FORMS,
  idleExamples,
  themeExamples,
  walkTheme,
  type ListForm,
} from './theme-examples.ts'

/** What else people know and say, to mix in. */
export interface Elsewhere {
  readonly statements: readonly string[]
  readonly asides: readonly string[]
}

/** How often examples are changed to be more like real talk: an aside is added, the list is longer, the target is missing. Our choice. */
const SHARE_WITH_ASIDE = 0.3
const SHARE_OF_LONG_LISTS = 0.5
const LONGER_BY = { min: 5, max: 30 }
const SHARE_OF_UNKNOWN = 0.1

/** Makes a round more like life: something else is said too, much more is known, or what changes was never told. */
function mixIn(example: UpdateExample, elsewhere: Elsewhere, draw: Draw): UpdateExample {
  let mixed = example
  if (draw.chance(SHARE_WITH_ASIDE)) mixed = withAside(mixed, draw.pick(elsewhere.asides), draw)
  if (draw.chance(SHARE_OF_LONG_LISTS)) mixed = withMoreKnown(mixed, elsewhere.statements, draw)
  return mixed.target !== null && draw.chance(SHARE_OF_UNKNOWN) ? withoutTarget(mixed, mixed.target) : mixed
}

function withAside(example: UpdateExample, aside: string, draw: Draw): UpdateExample {
  const between = example.language === 'zh' ? '' : ' '
  const parts = draw.chance(0.5) ? [aside, example.said] : [example.said, aside]
  return { ...example, said: parts.join(between) }
}

function withMoreKnown(example: UpdateExample, statements: readonly string[], draw: Draw): UpdateExample {
  const more = draw.shuffled(statements).slice(0, draw.whole(LONGER_BY.min, LONGER_BY.max))
  const own = example.known.map((text, place) => ({ text, place }))
  const mixed = draw.shuffled([...own, ...more.map((text) => ({ text, place: -1 }))])
  const target = example.target === null ? null : mixed.findIndex(({ place }) => place === example.target)
  return { ...example, known: mixed.map(({ text }) => text), target }
}

function withoutTarget(example: UpdateExample, target: number): UpdateExample {
  const kind = example.kind === 'modify' ? 'add' : 'none'
  return { ...example, known: example.known.toSpliced(target, 1), kind, target: null }
}

export const LANGUAGES = ['en', 'zh'] as const

/** The seed of the published figures (docs/benchmarks/README.md). Themes of its test split are never learned from, whatever the seed. */
export const SPLIT_SEED = 7
/** Draws of the same themes and sentences: other values and other orders. */
const SEEDS = [SPLIT_SEED, 8, 9, 10]
/** Themes whose talk is mixed into another's. */
const MIXED_IN = 4
/** How often each remark of our own is taken, and what it counts each time. */
const REMARKS = { times: 12, weight: 1 }

/** The themes of a split under the split's own seed. */
export async function themesOf(language: TalkLanguage, split: 'train' | 'test'): Promise<ThemeRecord[]> {
  const { themes } = await generateMemDialogue({ seed: SPLIT_SEED, language })
  return themes.filter((theme) => theme.split === split)
}

/** Everything the updater is learned from: the generator's train split alone, and sentences of our own. */
export async function gatherExamples(language: TalkLanguage): Promise<UpdateExample[]> {
  const names = new Set((await themesOf(language, 'train')).map(({ theme }) => theme))
  const kinds = new FactKinds(readMaterial(language))
  const mentions = readMentions()
  const examples: UpdateExample[] = []
  for (const seed of SEEDS) {
    const draw = seededDraw(seed, SEEDS.length)
    const { themes } = await generateMemDialogue({ seed, language })
    const own = themes.filter(({ theme, split }) => split === 'train' && names.has(theme))
    for (const theme of own) {
      for (const form of LIST_FORMS) {
        const elsewhere = elsewhereThan(theme, own, form, draw)
        const rounds = [
          ...themeExamples(theme, form, kinds),
          ...idleExamples(theme, form, { kinds, mentions, draw }),
        ]
        examples.push(...rounds.map((round) => mixIn(round, elsewhere, draw)))
      }
    }
    examples.push(...remarkExamples(language, own, draw))
  }
  return examples
}

function tellings(themes: readonly ThemeRecord[], form: ListForm): string[] {
  return themes.flatMap((theme) =>
    [...walkTheme(theme, form)].flatMap(({ kind, said, about }) =>
      kind === 'add' ? [form === 'told' ? said : about] : [],
    ),
  )
}

function elsewhereThan(
  theme: ThemeRecord,
  all: readonly ThemeRecord[],
  form: ListForm,
  draw: Draw,
): Elsewhere {
  const others = draw.shuffled(all.filter((other) => other !== theme)).slice(0, MIXED_IN)
  const small = readMaterial(theme.language).words.small.train.map(([said]) => said)
  return { statements: tellings(others, form), asides: [...small, ...tellings(others, 'told')] }
}

/** Our own remarks, each among what others told, as one of their list. */
function remarkExamples(language: TalkLanguage, themes: readonly ThemeRecord[], draw: Draw): UpdateExample[] {
  return readRemarks()
    .filter((remark) => remark.language === language)
    .flatMap(({ known, said, kind }, place) =>
      Array.from({ length: REMARKS.times / SEEDS.length }, (): UpdateExample => {
        const others = tellings(draw.shuffled(themes).slice(0, MIXED_IN), draw.pick(LIST_FORMS))
        const list = draw.shuffled([known, ...draw.shuffled(others).slice(0, draw.whole(3, 20))])
        const target = kind === 'none' ? null : list.indexOf(known)
        return {
          language,
          said,
          known: list,
          kind,
          target,
          group: `remark ${place % 10}`,
          weight: REMARKS.weight,
        }
      }),
    )
}
