import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { estimateTokens } from 'keepsake'
import { chatRowOf, completionRowOf, preferenceRowOf, rankedRowOf } from '../formats/chat-rows.ts'
import { datasetInfoOf } from '../formats/dataset-info.ts'
import type { Placed } from '../prepare/choose-examples.ts'
import { SPLITS, type Split } from '../prepare/split-people.ts'

/** Counts of an export by part: examples to imitate, and preference pairs. */
export type Written = Readonly<Record<'sft' | 'dpo', Readonly<Record<Split, number>>>>

export interface WriteOptions {
  readonly folder: string
  /** Further fields of the manifest. */
  readonly manifest: object
}

/** Writes `sft/` and `dpo/` (LLaMA-Factory, axolotl), `trl/`, `manifest.json` and `index.jsonl`, which names each line's voucher. */
export function writeExport(examples: readonly Placed[], options: WriteOptions): Written {
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

/** The origin of each line, with the export's pseudonyms alone. */
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

function countOf(examples: readonly Placed[]): Record<Split, number> {
  const count = (part: Split): number => examples.filter(({ split }) => split === part).length
  return { train: count('train'), validation: count('validation'), test: count('test') }
}

function tokensOf({ system, user, answer, rejected }: Placed): number {
  return (
    estimateTokens(`${system}\n${user}`) + Math.max(estimateTokens(answer), estimateTokens(rejected ?? ''))
  )
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
