import type { BenchContext } from '../benchmark/benchmark.ts'
import { OptionError } from '../benchmark/options.ts'
import {
  publishedFigure,
  type Paper,
  type PaperItem,
  type PublishedTable,
  MODEL_ROLES,
  type MeasuredFigure,
  type ItemResult,
  type ModelRole,
  type PaperRequest,
} from './registry/paper.ts'
import { stateWords } from './states.ts'
import { describeDifferences } from './describe-differences.ts'

/** A table or figure of a paper with our results. */
export interface PaperReport {
  readonly paper: Pick<Paper, 'name' | 'title' | 'authors'>
  readonly item: Omit<PaperItem, 'reproduction'>
  readonly state: string
  /** The command without keys. */
  readonly command: string
  /** A sentence about missing options. `null`: none is missing, or the item cannot be measured. */
  readonly needs: string | null
  /** `null`: not measured, as `item.note` and `needs` explain. */
  readonly measured: Omit<ItemResult, 'figures'> | null
  /** Every figure that was measured, with the paper's figure. */
  readonly compared: readonly ComparedFigure[]
  /** One sentence for each deviation from the paper. */
  readonly differences: readonly string[]
}

/** Options of a paper's table. The data may be missing. */
export type PaperOptions = Partial<PaperRequest>

/** Measures a table or figure, and adds the paper's figures. Without options it returns only these. @throws OptionError naming missing options */
export async function measureItem(
  paper: Paper,
  item: PaperItem,
  options: PaperOptions,
  context: BenchContext,
): Promise<PaperReport> {
  const { reproduction, ...published } = item
  const report = {
    paper: { name: paper.name, title: paper.title, authors: paper.authors },
    item: published,
    state: stateWords(item),
    command: commandOf(paper, item, options),
  }
  const unmeasured = { ...report, needs: null, measured: null, compared: [], differences: [] }
  if (reproduction === undefined) return unmeasured
  const hasOptions = Object.values(options).some((value) => value !== undefined)
  if (!hasOptions) return { ...unmeasured, needs: describeNeeds(paper, item, options) }
  const request = requireOptions(paper, item, options)
  const { figures, ...measured } = await reproduction.measure(request, context)
  return {
    ...report,
    needs: null,
    measured,
    compared: compareFigures(item.published, figures),
    differences: describeDifferences(item, request, { figures, ...measured }),
  }
}

const ROLE_WORDS: Readonly<Record<ModelRole, string>> = {
  model: 'a language model for the systems (--model)',
  reader: 'a language model that answers (--reader)',
  judge: 'a language model that judges (--judge)',
  embedding: 'an embedder (--embedding)',
  reranking: 'a model that reranks (--reranking)',
  likeness: 'an embedder that compares texts (--likeness)',
  bertscore: 'an encoder for BERTScore (--bertscore)',
  arousal: 'a model of arousal (--arousal)',
  surprise: 'a model of surprise (--surprise)',
}

/** Lists everything that is missing in one sentence. `null`: nothing is missing. */
function describeNeeds(paper: Paper, item: PaperItem, options: PaperOptions): string | null {
  const { data, reproduction } = item
  const hasData = options.path !== undefined
  const missing = (reproduction?.needs ?? [])
    .filter((role) => options[role] === undefined)
    .map((role) => ROLE_WORDS[role])
  if (!hasData && data !== undefined) missing.unshift(`${data.name} (--path: ${data.path})`)
  if (hasData && missing.length === 0) return null
  const published = hasData || data === undefined ? '' : ` ${data.name} was published by ${data.published}.`
  return `${nameOf(paper, item)} needs ${listWords(missing)}.${published}`
}

/** Names an item, such as “Table 3 of the lufy paper”. */
function nameOf(paper: Paper, item: PaperItem): string {
  return `${capitalise(item.id)} of the ${paper.name} paper`
}

/** Checks the options of an item. @throws OptionError naming missing options, or options that the item does not use */
function requireOptions(paper: Paper, item: PaperItem, options: PaperOptions): PaperRequest {
  const { needs = [], choosesSystem = false, takes = [] } = item.reproduction ?? {}
  const { path } = options
  const missing = describeNeeds(paper, item, options)
  if (path === undefined || missing !== null) throw new OptionError(missing ?? '')
  const name = nameOf(paper, item)
  const unused = MODEL_ROLES.filter(
    (role) => options[role] !== undefined && ![...needs, ...takes].includes(role),
  )
  if (unused.length > 0)
    throw new OptionError(
      `${name} asks no such model: leave out ${unused.map((role) => `--${role}`).join(', ')}.`,
    )
  if (options.system !== undefined && !choosesSystem)
    throw new OptionError(`${name} measures fixed systems: leave out --system.`)
  return { ...options, path }
}

/** Writes the command that measures an item with these options. */
function commandOf({ name }: Paper, { id }: PaperItem, options: PaperOptions): string {
  const number = id.startsWith('table ') ? id.slice('table '.length) : `"${id}"`
  const usedOptions = Object.entries(options).filter(([, value]) => value !== undefined)
  const flags = usedOptions.map(([option, value]) => `--${kebabCase(option)} ${String(value)}`)
  return ['keepsake bench paper', name, '--table', number, ...flags].join(' ')
}

function kebabCase(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}

/** A measured figure as reports store it. */
export interface ComparedFigure extends Omit<MeasuredFigure, 'paperRow'> {
  /** The row of the paper's table with which the figure is compared. `null`: none. */
  readonly beside: string | null
  /** The paper's figure. `null`: the paper has none. */
  readonly paper: number | null
}

/** Adds the paper's figure to each measured one. */
function compareFigures(
  published: PublishedTable | undefined,
  figures: readonly MeasuredFigure[],
): ComparedFigure[] {
  return figures.map(({ row, column, paperRow, ...figure }) => {
    const hasPaperRow = published !== undefined && paperRow !== null
    const paper = hasPaperRow ? publishedFigure(published, paperRow, column) : null
    return { row, column, beside: paperRow, ...figure, paper }
  })
}
