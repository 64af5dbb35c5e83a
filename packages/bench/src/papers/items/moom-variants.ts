import { ebbinghaus, moom, type MoomOptions } from '@keepsake/papers'
import type { KeyTable, PersonaKey } from '@keepsake/text'
import type { Branch, Preset } from 'keepsake/preset'
import type { Settings } from '../registry/settings.ts'
import type { Variant } from '../reproduce/measure-variant.ts'

/** The paper's tables have no limit; its curves have one. */
const UNLIMITED = Number.POSITIVE_INFINITY
/** MOOM 5.5: what was said is not among the nine memories. */
const RECALLED = ['fact', 'story'] as const
const CONFIG = { snapshot: '10 rounds', round: 'a pair of turns', recalls: 'persona and summaries' } as const

/** The settings of MOOM's row, and of others, of which the paper says less. */
export const moomSettings =
  (own: Settings = {}) =>
  (row: string): Settings => {
    const protocol = 'the harness’s own'
    const asked = { memoriesWanted: 9, contextTokens: null, ownAnswers: 'the reader', protocol }
    if (!row.includes('moom')) return { ...asked, retention: null, reranking: null, ...own }
    const { round, recalls } = CONFIG
    const reranking = 'a BGE reranker'
    return { ...asked, retention: 'nothing forgotten', snapshot: null, round, recalls, reranking, ...own }
  }

/** MOOM as the paper measures it: no limit unless one is given, and raw talk apart from its memories. */
const published = (options: MoomOptions): Preset => ({
  ...moom({ characters: UNLIMITED, ...options }),
  recalls: RECALLED,
})

export const PUBLISHED = { preset: published, config: CONFIG } satisfies Omit<Variant, 'row' | 'beside'>

/** The two speakers of LoCoMo are both users, so that a turn is a round of the engine. */
const TURNS_OF_A_PAIR = 2

/** MOOM on LoCoMo (appendix G): a session is the unit of extraction, images are left out. */
export const ON_LOCOMO = {
  preset: (form: MoomOptions) => {
    const preset = published(form)
    return { ...preset, branches: preset.branches.map(bySession) }
  },
  config: { ...CONFIG, snapshot: 'a session', images: 'left out' },
} satisfies Omit<Variant, 'row' | 'beside'>

function bySession(branch: Branch): Branch {
  if (branch.kind === 'facts') return { ...branch, every: 'session-end' }
  if (branch.kind !== 'story') return branch
  const [first = 1, ...above] = branch.thresholds
  return { ...branch, thresholds: [first * TURNS_OF_A_PAIR, ...above] }
}

const variant = (row: string, beside: string | null, options: MoomOptions): Variant => {
  return { row, beside, config: CONFIG, preset: (form) => published({ ...form, ...options }) }
}

/** MOOM's Table 2: one branch, the other, both. */
export const BRANCHES: readonly Variant[] = [
  variant('moom, plot alone', 'NSB Only', { branches: 'plot' }),
  variant('moom, persona alone', 'PCB Only', { branches: 'persona' }),
  variant('moom', 'MOOM', {}),
]

/** Table 4's ways to merge, each with those before it. */
const MERGES: readonly (readonly [row: string, beside: string, (key: PersonaKey) => PersonaKey])[] = [
  ['by rules', 'Rule-Based Only', (key) => withoutModel({ ...key, contradicts: [], opposite: null })],
  ['and by embedding', '+Embedding-Based', (key) => withoutModel(key)],
  ['and by a model', '+LLM-Based', (key) => key],
]

/** Values that cannot be merged in a class's way stay beside each other. */
function withoutModel(key: PersonaKey): PersonaKey {
  const appends = key.merge === 'complex' || (key.merge === 'contradictory' && key.opposite === null)
  return appends ? { ...key, merge: 'append' } : key
}

function withKeys(preset: Preset, change: (key: PersonaKey) => PersonaKey): Preset {
  const keyTable: KeyTable = new Map([...preset.keyTable].map(([id, key]) => [id, change(key)]))
  return { ...preset, keyTable }
}

export const FIFTY = 'with 50 memories'

/** MOOM's Table 4: fewer ways to merge, without a limit and with fifty memories. */
export const MERGING: readonly Variant[] = [false, true].flatMap((isLimited) =>
  MERGES.map(([way, beside, change]) => ({
    row: `moom, merged ${way}${isLimited ? `, ${FIFTY}` : ''}`,
    beside: isLimited ? `${beside}†` : beside,
    config: CONFIG,
    preset: (form: MoomOptions) => {
      const preset = withKeys(published(form), change)
      return isLimited ? { ...preset, retention: { when: 'capacity', memories: 50 } } : preset
    },
  })),
)

/** The paper's, without a named unit; here characters. */
const CAPACITIES = [2_000, 3_000, 6_000, 10_000] as const

/** MOOM's Figures 3 and 7: three ways to forget at each capacity, and no forgetting. */
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

/** The Ebbinghaus curve in the place of competition and inhibition. */
function byCurve(row: string, options: MoomOptions): Variant {
  const { preset, ...others } = variant(row, null, { ...options, inhibits: false })
  return { ...others, preset: (form) => ({ ...preset(form), policy: ebbinghaus({ unit: 'days' }) }) }
}
