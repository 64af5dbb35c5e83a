import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidInputError, type Keepsake, type ScopeRow, estimateTokens } from 'keepsake'
import { chooseExamples, type Mixture, type Placed } from '../prepare/choose-examples.ts'
import { splitPeople, type Shares, type Split, SPLITS } from '../prepare/split-people.ts'
import { gatherExamples, type Gathered, type GatherOptions } from './gather-examples.ts'
import { chatRowOf, completionRowOf, preferenceRowOf, rankedRowOf } from '../formats/chat-rows.ts'
import { datasetInfoOf } from '../formats/dataset-info.ts'

export interface ExportOptions extends GatherOptions {
  /** An existing folder for the files. */
  readonly folder: string
  readonly shares: Shares
  readonly mixture: Mixture
  readonly seed: number
}

/** The contents of an export, and what was left out. */
export interface Exported extends Omit<Gathered, 'examples'> {
  readonly written: Written
  /** Number of examples by voucher. */
  readonly by: Readonly<Record<string, number>>
  readonly repeated: number
  readonly emptyLeftOut: number
  readonly unevenLeftOut: number
}

/** Exports examples from a store: gathered, split by user, without duplicates. @throws InvalidInputError when there are none */
export async function exportStore(
  memory: Keepsake,
  rows: readonly ScopeRow[],
  options: ExportOptions,
): Promise<Exported> {
  const { examples, ...gathered } = await gatherExamples(memory, rows, options)
  const people = examples.map(({ person }) => person)
  const parts = splitPeople(people, options.shares, options.seed)
  const placed = examples.map((example) => ({ ...example, split: parts.get(example.person) ?? 'train' }))
  return chooseAndWrite(placed, gathered, options)
}

function chooseAndWrite(
  placed: readonly Placed[],
  gathered: Omit<Gathered, 'examples'>,
  options: ExportOptions,
): Exported {
  const { examples, ...leftOut } = chooseExamples(placed, options)
  if (examples.length === 0)
    throw new InvalidInputError(`There is nothing to learn from: ${whyNothing(gathered)}`)
  const { folder, seed } = options
  const by: Record<string, number> = {}
  for (const example of examples) by[example.by] = (by[example.by] ?? 0) + 1
  const counts = { by, ...leftOut, ...gathered }
  const { identified, onlyAgreed, includeRules, mixture, shares } = options
  const manifest = {
    format: 'keepsake-training/1',
    tasks: options.tasks,
    seed,
    prompts: [...new Set(examples.map(({ prompt }) => prompt))].toSorted(),
    options: { identified, onlyAgreed, includeRules, mixture, shares },
    ...counts,
  }
  return { written: writeExport(examples, { folder, manifest }), ...counts }
}

/** Explains an empty export by what was left out. */
function whyNothing({
  people,
  scopesRefused,
  withheld,
  byRules,
  unreadable,
  pairsFailed,
}: Omit<Gathered, 'examples'>): string {
  const reasons = [
    `${people} people were read`,
    ...(scopesRefused > 0 ? [`${scopesRefused} scopes may not be learned from`] : []),
    ...(withheld > 0 ? [`${withheld} examples rest on withheld text`] : []),
    ...(byRules > 0 ? [`${byRules} rest on what rules drew (take them too with --include-rules)`] : []),
    ...(unreadable.length > 0 ? [`${unreadable.length} have answers that the engine would not take`] : []),
    ...(pairsFailed.length > 0
      ? [`${pairsFailed.length} pairs could not be made: ${pairsFailed[0] ?? ''}`]
      : []),
  ]
  return `${reasons.join('; ')}. Presets moom, mmm and comedy with a language model leave what these tasks are made of.`
}

/** Counts of an export by part: examples to imitate, and preference pairs. */
type Written = Readonly<Record<'sft' | 'dpo', Readonly<Record<Split, number>>>>

interface WriteOptions {
  readonly folder: string
  /** Further fields of the manifest. */
  readonly manifest: object
}

/** Writes `sft/` and `dpo/` (LLaMA-Factory, axolotl), `trl/`, `manifest.json` and `index.jsonl`, which names each line's voucher. */
function writeExport(examples: readonly Placed[], options: WriteOptions): Written {
  const { folder } = options
  const sft = examples.filter(({ task }) => task !== 'reply-dpo')
  const dpo = examples.filter(({ rejected }) => rejected !== null)
  writeRows(folder, 'sft', sft, chatRowOf)
  writeRows(folder, 'dpo', dpo, rankedRowOf)
  writeRows(join(folder, 'trl'), 'sft', sft, completionRowOf)
  writeRows(join(folder, 'trl'), 'dpo', dpo, preferenceRowOf)
  const written = { sft: countOf(sft), dpo: countOf(dpo) }
  const files = (['sft', 'dpo'] as const).flatMap((method) =>
    SPLITS.filter((part) => written[method][part] > 0).map((part) => ({ folder: method, part })),
  )
  writeJson(join(folder, 'dataset_info.json'), datasetInfoOf(files))
  const longest = Math.max(0, ...examples.map(tokensOf))
  writeFileSync(join(folder, 'index.jsonl'), indexOf(sft, dpo))
  writeJson(join(folder, 'manifest.json'), { written, longestExampleTokens: longest, ...options.manifest })
  return written
}

function writeRows(
  folder: string,
  method: string,
  examples: readonly Placed[],
  rowOf: (example: Placed) => object,
): void {
  if (examples.length === 0) return
  mkdirSync(join(folder, method), { recursive: true })
  for (const part of SPLITS) {
    const rows = examples
      .filter(({ split }) => split === part)
      .map((example) => JSON.stringify(rowOf(example)))
    if (rows.length > 0)
      writeFileSync(join(folder, method, `${part}.jsonl`), rows.map((row) => `${row}\n`).join(''))
  }
}

/** Writes the origin of each line. It names people by the export's pseudonyms. */
function indexOf(sft: readonly Placed[], dpo: readonly Placed[]): string {
  const linesOf = (method: string, examples: readonly Placed[]): object[] =>
    SPLITS.flatMap((part) =>
      examples
        .filter(({ split }) => split === part)
        .map(({ task, prompt, by, person }, line) => ({
          file: `${method}/${part}.jsonl`,
          line: line + 1,
          task,
          prompt,
          by,
          person,
        })),
    )
  return [...linesOf('sft', sft), ...linesOf('dpo', dpo)].map((row) => `${JSON.stringify(row)}\n`).join('')
}

/** Counts the examples of each part. */
function countOf(examples: readonly Placed[]): Record<Split, number> {
  const count = (part: Split): number => examples.filter(({ split }) => split === part).length
  return { train: count('train'), validation: count('validation'), test: count('test') }
}

/** Estimates the tokens of a question with the longer of its answers. */
function tokensOf({ system, user, answer, rejected }: Placed): number {
  return (
    estimateTokens(`${system}\n${user}`) + Math.max(estimateTokens(answer), estimateTokens(rejected ?? ''))
  )
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
