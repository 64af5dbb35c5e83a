import type { BenchContext } from '../benchmark/benchmark.ts'
import { OptionError } from '../benchmark/options.ts'
import {
  publishedFigure,
  type Paper,
  type PaperItem,
  type PublishedTable,
  MODEL_ROLES,
  type HereFigure,
  type Measured,
  type ModelRole,
  type PaperAsked,
} from './registry/paper.ts'
import { stateWords } from './states.ts'
import { tellDifferences } from './tell-differences.ts'

/** A table or figure of a paper, beside our results. */
export interface PaperReport {
  readonly paper: Pick<Paper, 'name' | 'title' | 'authors'>
  readonly item: Omit<PaperItem, 'reproduction'>
  readonly state: string
  /** The command without keys. */
  readonly command: string
  /** What it must be given, in a sentence; `null`: it was given, or it cannot be measured. */
  readonly needs: string | null
  /** `null`: not measured, as `item.note` and `needs` explain. */
  readonly measured: Omit<Measured, 'figures'> | null
  /** Every published figure with a counterpart, and every figure obtained. */
  readonly compared: readonly ComparedFigure[]
  /** Deviations from the paper; a sentence each. */
  readonly differences: readonly string[]
}

/** Options of a paper's table, possibly without the data. */
export type PaperOptions = Partial<PaperAsked>

/**
 * Measures a table or figure as far as possible, and adds the paper's figures. Items that cannot be measured (a drawing, people's
 * judgement, unpublished data), and those asked for without any option, return the paper's figures alone.
 *
 * @throws OptionError naming what is missing: the data, a model
 * @throws DatasetError for the data; whatever the benchmarks throw that it runs
 */
export async function measureItem(
  paper: Paper,
  item: PaperItem,
  options: PaperOptions,
  context: BenchContext,
): Promise<PaperReport> {
  const { reproduction, ...shown } = item
  const report = {
    paper: { name: paper.name, title: paper.title, authors: paper.authors },
    item: shown,
    state: stateWords(item),
    command: commandOf(paper, item, options),
  }
  const shownAlone = { ...report, needs: null, measured: null, compared: [], differences: [] }
  if (reproduction === undefined) return shownAlone
  if (Object.values(options).every((value) => value === undefined))
    return { ...shownAlone, needs: tellNeeds(paper, item, options) }
  const asked = requireOptions(paper, item, options)
  const { figures, ...measured } = await reproduction.measure(asked, context)
  return {
    ...report,
    needs: null,
    measured,
    compared: compareFigures(item.published, figures),
    differences: tellDifferences(item, asked, { figures, ...measured }),
  }
}

const ROLES: Readonly<Record<ModelRole, string>> = {
  model: 'a language model that the systems work with (--model)',
  reader: 'a language model that answers (--reader)',
  judge: 'a language model that judges (--judge)',
  embedding: 'an embedder (--embedding)',
  reranking: 'a model that reranks (--reranking)',
  likeness: 'an embedder that compares texts (--likeness)',
  bertscore: 'an encoder for BERTScore (--bertscore)',
  arousal: 'a model of arousal (--arousal)',
  surprise: 'a model of surprise (--surprise)',
}

/** Lists everything that is missing in one sentence; `null`: nothing is. */
function tellNeeds(paper: Paper, item: PaperItem, options: PaperOptions): string | null {
  const { data, reproduction } = item
  const hasData = options.path !== undefined
  const missing = (reproduction?.needs ?? [])
    .filter((role) => options[role] === undefined)
    .map((role) => ROLES[role])
  if (!hasData && data !== undefined) missing.unshift(`${data.name} (--path: ${data.path})`)
  if (hasData && missing.length === 0) return null
  const published = hasData || data === undefined ? '' : ` ${data.name} was published by ${data.published}.`
  return `${nameOf(paper, item)} needs ${listWords(missing)}.${published}`
}

function nameOf(paper: Paper, item: PaperItem): string {
  return `${capital(item.id)} of the ${paper.name} paper`
}

/** @throws OptionError naming what is missing or of no use */
function requireOptions(paper: Paper, item: PaperItem, options: PaperOptions): PaperAsked {
  const { needs = [], choosesSystem = false, takes = [] } = item.reproduction ?? {}
  const { path } = options
  const missing = tellNeeds(paper, item, options)
  if (path === undefined || missing !== null) throw new OptionError(missing ?? '')
  const name = nameOf(paper, item)
  const idle = MODEL_ROLES.filter(
    (role) => options[role] !== undefined && ![...needs, ...takes].includes(role),
  )
  if (idle.length > 0)
    throw new OptionError(
      `${name} asks no such model: leave out ${idle.map((role) => `--${role}`).join(', ')}.`,
    )
  if (options.system !== undefined && !choosesSystem)
    throw new OptionError(`${name} is of certain systems: leave out --system.`)
  return { ...options, path }
}

function commandOf({ name }: Paper, { id }: PaperItem, options: PaperOptions): string {
  const number = id.startsWith('table ') ? id.slice('table '.length) : `"${id}"`
  const flags = Object.entries(options).flatMap(([option, value]) =>
    value === undefined
      ? []
      : [`--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${String(value)}`],
  )
  return ['keepsake bench paper', name, '--table', number, ...flags].join(' ')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}

export interface ComparedFigure extends HereFigure {
  /** `null`: the paper has none. */
  readonly paper: number | null
}

/** Adds the paper's figure to each obtained one. */
function compareFigures(
  published: PublishedTable | undefined,
  figures: readonly HereFigure[],
): ComparedFigure[] {
  return figures.map((figure) => {
    const { beside, column } = figure
    const paper =
      published === undefined || beside === null ? null : publishedFigure(published, beside, column)
    return { ...figure, paper }
  })
}
