// Variants of the preset `moom` for the rows of the MOOM paper's tables and the curves of its figures.
import { ebbinghaus, moom, type MoomOptions } from '@keepsake/papers'
import type { KeyTable, PersonaKey } from '@keepsake/text'
import type { Branch, Preset } from 'keepsake/preset'
import type { Settings } from '../registry/settings.ts'
import type { Variant } from '../reproduce/measure-variant.ts'

/** The paper's tables have no limit of memory, unlike its curves. */
const UNLIMITED = Number.POSITIVE_INFINITY
/** Recall returns facts and summaries. In the paper, turns are not among the nine memories (section 5.5). */
const RECALLED_FORMS = ['fact', 'story'] as const
/** Settings that the run's configuration names. */
const CONFIG = { snapshot: '10 rounds', round: 'a pair of turns', recalls: 'persona and summaries' } as const

/** Returns the paper's settings for a row. The paper says less about other systems. `tableSettings` replace some settings. */
export const moomSettings =
  (tableSettings: Settings = {}) =>
  (row: string): Settings => {
    const protocol = 'the harness’s own'
    const questions = { memoriesWanted: 9, contextTokens: null, ownAnswers: 'the reader', protocol }
    if (!row.includes('moom')) return { ...questions, retention: null, reranking: null, ...tableSettings }
    const { round, recalls } = CONFIG
    const engine = {
      retention: 'nothing forgotten',
      snapshot: null,
      round,
      recalls,
      reranking: 'a BGE reranker',
    }
    return { ...questions, ...engine, ...tableSettings }
  }

/** Makes MOOM as the paper measures it. The memory has no limit unless `options` set one, and recall returns no turns. */
const published = (options: MoomOptions): Preset => ({
  ...moom({ characters: UNLIMITED, ...options }),
  recalls: RECALLED_FORMS,
})

/** MOOM under the conditions of the paper's tables. */
export const PUBLISHED = { preset: published, config: CONFIG } satisfies Omit<Variant, 'row' | 'paperRow'>

/** Both speakers of LoCoMo are users, so each turn is a round for the engine. A pair of turns is two rounds. */
const ROUNDS_PER_PAIR = 2

/** MOOM on LoCoMo (appendix G): facts are extracted once per session, and images are left out. */
export const ON_LOCOMO = {
  preset: (form: MoomOptions) => {
    const preset = published(form)
    return { ...preset, branches: preset.branches.map(bySession) }
  },
  config: { ...CONFIG, snapshot: 'a session', images: 'left out' },
} satisfies Omit<Variant, 'row' | 'paperRow'>

/** Extracts facts at the end of a session, and doubles the number of rounds in a plot unit. */
function bySession(branch: Branch): Branch {
  if (branch.kind === 'facts') return { ...branch, every: 'session-end' }
  if (branch.kind !== 'story') return branch
  const [roundsPerUnit = 1, ...higherThresholds] = branch.thresholds
  return { ...branch, thresholds: [roundsPerUnit * ROUNDS_PER_PAIR, ...higherThresholds] }
}

const variant = (row: string, paperRow: string | null, options: MoomOptions): Variant => {
  return { row, paperRow, config: CONFIG, preset: (form) => published({ ...form, ...options }) }
}

/** The rows of MOOM's Table 2: the branch of plot summaries, the branch of persona facts, and both. */
export const BRANCHES: readonly Variant[] = [
  variant('moom, plot alone', 'NSB Only', { branches: 'plot' }),
  variant('moom, persona alone', 'PCB Only', { branches: 'persona' }),
  variant('moom', 'MOOM', {}),
]

/** The ways to merge facts in MOOM's Table 4. Each includes those before it. */
const MERGES: readonly (readonly [way: string, paperRow: string, change: (key: PersonaKey) => PersonaKey])[] =
  [
    ['by rules', 'Rule-Based Only', (key) => withoutModel({ ...key, contradicts: [], opposite: null })],
    ['and by embedding', '+Embedding-Based', (key) => withoutModel(key)],
    ['and by a model', '+LLM-Based', (key) => key],
  ]

/** Removes the ways to merge that need a model. Values of such keys are added instead of merged. */
function withoutModel(key: PersonaKey): PersonaKey {
  const appends = key.merge === 'complex' || (key.merge === 'contradictory' && key.opposite === null)
  return appends ? { ...key, merge: 'append' } : key
}

function withKeys(preset: Preset, change: (key: PersonaKey) => PersonaKey): Preset {
  const keyTable: KeyTable = new Map([...preset.keyTable].map(([id, key]) => [id, change(key)]))
  return { ...preset, keyTable }
}

/** Ends the names of rows with a limit of fifty memories. */
export const FIFTY = 'with 50 memories'

/** The rows of MOOM's Table 4: one to three ways to merge, each without a limit and with fifty memories (marked † in the paper). */
export const MERGING: readonly Variant[] = [false, true].flatMap((isLimited) =>
  MERGES.map(([way, paperRow, change]) => ({
    row: `moom, merged ${way}${isLimited ? `, ${FIFTY}` : ''}`,
    paperRow: isLimited ? `${paperRow}†` : paperRow,
    config: CONFIG,
    preset: (form: MoomOptions) => {
      const preset = withKeys(published(form), change)
      return isLimited ? { ...preset, retention: { when: 'capacity', memories: 50 } } : preset
    },
  })),
)

/** The capacities of the paper. It names no unit; here they are characters. */
const CAPACITIES = [2_000, 3_000, 6_000, 10_000] as const

/** The curves of MOOM's Figures 3 and 7: three ways to forget at each capacity, and no forgetting. */
export const CAPACITY_VARIANTS: readonly Variant[] = [
  ...CAPACITIES.flatMap((characters) => {
    const at = `${characters / 1_000}k`
    return [
      variant(`with inhibition, ${at}`, null, { characters }),
      variant(`without inhibition, ${at}`, null, { characters, inhibits: false }),
      byCurve(`Ebbinghaus curve, ${at}`, { characters }),
    ]
  }),
  variant('without a limit', null, {}),
]

/** A variant that forgets by the Ebbinghaus curve (by time) instead of MOOM's competition and inhibition (by recalls). */
function byCurve(row: string, options: MoomOptions): Variant {
  const { preset, ...others } = variant(row, null, { ...options, inhibits: false })
  return { ...others, preset: (form) => ({ ...preset(form), policy: ebbinghaus({ unit: 'days' }) }) }
}
