import { readFileSync, writeFileSync } from 'node:fs'
import type { Marked } from '@keepsake/train'
import { wrongUsage } from '../cli-error.ts'
import { defineCommand } from '../define-command.ts'
import { loadTraining } from '../load-package.ts'
import { sayStep } from '../output/progress.ts'

type Training = Awaited<ReturnType<typeof loadTraining>>

interface Options {
  readonly marks?: readonly string[]
  readonly lufy?: string
  readonly l2?: number
  readonly seed: number
}

export const fitImportanceCommand = defineCommand({
  name: 'fit-importance',
  summary: "fit LUFY's weights to marked exchanges",
  description:
    "Fits the weights of LUFY's metrics to marked exchanges, with Levenberg–Marquardt and an L2 penalty in the paper's two stages. It tests them and the paper's weights on other users (with one user, on other sessions), and writes a file for lufy({ weights }).",
  sharedOptions: [],
  declare: (command) =>
    command
      .option('--marks <files...>', 'marked files of "keepsake train annotate"')
      .option(
        '--lufy <folder>',
        "the folder of the published LUFY dataset instead, with its annotators' marks and its questions",
      )
      .option('--out <file>', 'the file for the weights', 'importance-weights.json')
      .option('--plot <file>', 'also draw weights and agreement, as SVG')
      .option('--l2 <size>', 'penalty on the sum of squared weights (default: 0.01)', Number)
      .option('--seed <n>', 'the seed of the resampling for the intervals', Number, 1),
  examples: [
    'keepsake train fit-importance --marks marks.jsonl --out weights.json --plot weights.svg',
    'keepsake train fit-importance --lufy lufy-dataset --json',
  ],
  async run({ io, options }) {
    const training = await loadTraining()
    const say = (step: string): void => sayStep(io, options.json === true, step)
    const { marked, source } = await readMarks(training, options, say)
    const settings = options.l2 === undefined ? {} : { l2: options.l2 }
    say(`Fitting on ${marked.length} exchanges.`)
    const fitted = training.fitWeights(marked, { ...settings, source })
    writeFileSync(options.out, training.writeWeights(fitted))
    say('Testing on the exchanges that were left out.')
    const checked = training.crossValidate(marked, { ...settings, seed: options.seed })
    const forgetting =
      options.lufy === undefined
        ? null
        : await training.compareForgetting(options.lufy, checked, options.seed)
    if (options.plot !== undefined) writeFileSync(options.plot, await training.plotFit(fitted, checked))
    const { showFit } = await import('./show-fit.ts')
    const { by, folds, weights: intervals, ...scores } = checked
    const data = {
      file: options.out,
      exchanges: marked.length,
      important: marked.reduce((sum, item) => sum + item.important, 0) / marked.length,
      ...fitted,
      intervals,
      heldOutBy: by,
      folds: folds.map(({ heldOut, weights, ...rest }) => ({
        held: heldOut,
        weights: weights.weights,
        ...rest,
      })),
      scores: { fitted: scores.fitted, paper: scores.paper, lead: scores.lead },
      forgetting,
    }
    const shown = { fitted, checked, out: options.out, exchanges: marked.length }
    return { data, formatText: () => showFit(shown) }
  },
})

async function readMarks(
  training: Training,
  { marks, lufy }: Pick<Options, 'marks' | 'lufy'>,
  say: (text: string) => void,
): Promise<{ readonly marked: Marked[]; readonly source: string }> {
  if ((marks === undefined) === (lufy === undefined))
    throw wrongUsage(
      'Name the marks: --marks FILE… for your own, or --lufy FOLDER for the published dataset.',
    )
  if (lufy !== undefined) {
    say('Reading the conversations of the LUFY dataset.')
    return { marked: await training.annotateLufy(lufy), source: "the LUFY dataset's marks" }
  }
  const files = marks ?? []
  const annotations = files.flatMap((file) => training.readAnnotations(readFileSync(file, 'utf8'), file))
  const marked = training.markedOf(annotations)
  if (marked.length === 0)
    throw wrongUsage(`None of ${annotations.length} exchanges is marked: set "important" to 1 or 0.`)
  return { marked, source: `marks of ${[...new Set(marked.map(({ person }) => person))].join(', ')}` }
}
