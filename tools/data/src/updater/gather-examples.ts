import { type Draw, seededDraw } from '@keepsake/bench/parts'
import {
  generateMemDialogue,
  readMaterial,
  type TalkLanguage,
  type ThemeRecord,
} from '@keepsake/bench-generators'
import type { UpdateExample } from './example.ts'
import { mixIn, type Elsewhere } from './mix-lists.ts'
import { readMentions, readRemarks } from './own-words.ts'
import {
  FactKinds,
  idleExamples,
  LIST_FORMS,
  themeExamples,
  walkTheme,
  type ListForm,
} from './theme-examples.ts'

export const LANGUAGES = ['en', 'zh'] as const

/** The seed of the published figures (docs/benchmarks/README.md): its themes of the test split are learned from under no seed. */
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
  const found: UpdateExample[] = []
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
        found.push(...rounds.map((round) => mixIn(round, elsewhere, draw)))
      }
    }
    found.push(...remarkExamples(language, own, draw))
  }
  return found
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
