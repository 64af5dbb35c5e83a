// Declares how the tables of the HaluMem paper are measured here. HaluMem asks at which step of a memory system false memories arise.
import { estimateTokens } from 'keepsake'
import type { BenchConversation, GoldMemory } from '../../datasets/conversation.ts'
import { QUESTION_TYPES } from '../../datasets/halumem.ts'
import { openDataset } from '../../datasets/open-dataset.ts'
import type { FigureTask, TaskName } from '../../log/figure.ts'
import type { ModelRole, PaperRequest, Reproduction } from '../registry/paper.ts'
import { readPaper, type ReproductionSpec } from '../registry/read-paper.ts'
import { byRun, cellsOf, type RunCell, type RunTable } from '../reproduce/by-run.ts'
import { byCounting, meanOf, sumOf, turnsOf, type Count } from '../reproduce/count-data.ts'

/** The columns of the paper's Table 6, the size of the data. */
const COUNTS: readonly Count[] = [
  { column: 'Avg Context Length (tokens/user)', count: (all) => meanOf(all, tokensOf) },
  { column: 'Avg Session Num (per user)', count: (all) => meanOf(all, sessionsOf) },
  {
    column: 'Avg Dialogue Turns per Session',
    count: (all) => ratio(sumOf(all, roundsOf), sumOf(all, sessionsOf)),
  },
  { column: 'Total Dialogue Turns', count: (all) => sumOf(all, roundsOf) },
  {
    column: 'Avg Memory Num per Session',
    count: (all) => ratio(countGold(() => true)(all), sumOf(all, sessionsOf)),
  },
  { column: 'Distractor Memories', count: countGold(({ source }) => source === 'interference') },
  {
    column: 'Update Memories',
    count: countGold(({ isUpdate, isCalledUpdate = isUpdate }) => isCalledUpdate),
  },
  ...['Persona', 'Event', 'Relationship'].map((type): Count => ({
    column: `${type} Memories`,
    count: countGold((gold) => gold.type === type.toLowerCase()),
  })),
  { column: 'Total Memories', count: countGold(() => true) },
  { column: 'Avg Questions per User', count: (all) => meanOf(all, ({ questions }) => questions.length) },
  { column: 'Total Questions', count: (all) => sumOf(all, ({ questions }) => questions.length) },
  ...QUESTION_TYPES.map((column): Count => ({
    column,
    count: (all) =>
      sumOf(all, ({ questions }) => questions.filter(({ category }) => category === column).length),
  })),
]

/** Users of HaluMem-Long have more tokens than this, users of HaluMem-Medium fewer. */
const MIN_LONG_TOKENS = 400_000

const ONE_READER =
  'One reader with one prompt serves every system; the paper has a prompt of each system’s makers.'
const OWN_RUBRICS = 'Verdicts are found part by part, where the paper asks a model for each at once.'

/** Reports whether the run uses the paper's protocol, which needs a judge model. */
const isByProtocol = ({ judge }: PaperRequest): boolean => judge !== undefined

/** Makes a table whose rows are systems. */
const ofSystems = (tasks: readonly TaskName[], cells: readonly RunCell[]): RunTable => ({
  dataset: 'halumem',
  tasks,
  systems: ['keepsake'],
  cells,
})

/** Measures a table, and compares each system with its row in the paper. */
const withPaperRows =
  (table: RunTable): Reproduction['measure'] =>
  async (request, context) =>
    byRun({ ...table, paperRow: await readRows(request.path) })(request, context)

/** Declares a table of verdicts. If a model judges, the run follows the paper's protocol. */
const judged = (takes: readonly ModelRole[], table: RunTable): ReproductionSpec => ({
  needs: [],
  takes,
  choosesSystem: true,
  differences: (request) => (isByProtocol(request) ? [ONE_READER] : [ONE_READER, OWN_RUBRICS]),
  measure: withPaperRows({
    ...table,
    runOptions: (request) => (isByProtocol(request) ? { protocol: 'paper' } : {}),
  }),
})

/** Makes columns that show one metric for slices of the data, such as each type of question. */
const slicedCells = (task: FigureTask, metric: string, slices: Readonly<Record<string, string>>): RunCell[] =>
  Object.entries(slices).map(([column, slice]) => ({ column, unit: 'percent', task, metric, slice }))

export const HALUMEM = readPaper('halumem', {
  'table 3': judged(
    ['model', 'reader', 'judge'],
    ofSystems(
      ['extraction', 'updating', 'answering'],
      [
        ...cellsOf('extraction', 'percent', {
          R: 'recall',
          'Weighted R': 'weighted_recall',
          'Target P': 'target_precision',
          'Acc.': 'accuracy',
          FMR: 'fmr',
          F1: 'f1',
        }),
        ...cellsOf('updating', 'percent', {
          'Updating C': 'correct',
          'Updating H': 'hallucinated',
          'Updating O': 'omitted',
        }),
        ...cellsOf('answering', 'percent', { 'QA C': 'correct', 'QA H': 'hallucinated', 'QA O': 'omitted' }),
      ],
    ),
  ),
  'table 4': judged(
    ['model', 'judge'],
    ofSystems(
      ['extraction', 'updating'],
      slicedCells('extraction', 'typewise', {
        Event: 'type:event',
        Persona: 'type:persona',
        Relationship: 'type:relationship',
      }),
    ),
  ),
  'table 5': {
    needs: ['model'],
    takes: [],
    choosesSystem: true,
    differences: [
      'Another machine, another model, another network.',
      'Retrieval is timed for questions alone.',
    ],
    measure: withPaperRows(
      ofSystems(
        ['answering'],
        cellsOf('cost', 'minutes', {
          'Dialogue Addition': 'adding_ms',
          'Memory Retrieval': 'retrieving_ms',
          Total: 'total_ms',
        }),
      ),
    ),
  },
  'figure 5': judged(
    ['model', 'reader', 'judge'],
    ofSystems(
      ['answering'],
      slicedCells(
        'answering',
        'correct',
        Object.fromEntries(QUESTION_TYPES.map((type) => [type, `category:${type}`])),
      ),
    ),
  ),
  'table 6': {
    needs: [],
    takes: [],
    differences: [
      'Tokens are estimated from the characters; the paper does not name its tokenizer.',
      'A turn of the paper is a round: what the user said and what was answered.',
    ],
    measure: byCounting({
      dataset: 'halumem',
      row: 'the file',
      paperRow: (all) => `HaluMem-${variantOf(meanOf(all, tokensOf) ?? 0)}`,
      counts: COUNTS,
      // Files of `keepsake bench generate` name their language, the published ones do not.
      remarks: (all) =>
        all.some(({ isOwnSet }) => isOwnSet)
          ? [
              'The file is one of `keepsake bench generate halumem`: other users than the paper’s, and no part of HaluMem.',
            ]
          : [],
    }),
  },
})

/** The names of systems in the paper's rows. */
const PEERS: Readonly<Record<string, string>> = {
  mem0: 'Mem0',
  memobase: 'Memobase',
  memos: 'MemOS',
  supermemory: 'Supermemory',
  zep: 'Zep',
}

/** Returns a function from a system to its row. The file's first user shows whether the row is of Medium or Long. Generated files have no row. */
export async function readRows(path: string): Promise<(system: string) => string | null> {
  const dataset = await openDataset('halumem', path)
  for await (const user of dataset.conversations()) {
    const variant = variantOf(tokensOf(user))
    return (system) => {
      const peer = PEERS[system.replace(/-(server|platform)$/, '')]
      return peer === undefined || user.isOwnSet === true ? null : `${variant}: ${peer}`
    }
  }
  return () => null
}

function variantOf(tokens: number): 'Medium' | 'Long' {
  return tokens > MIN_LONG_TOKENS ? 'Long' : 'Medium'
}

function tokensOf(conversation: BenchConversation): number {
  return turnsOf(conversation).reduce((sum, { text }) => sum + estimateTokens(text), 0)
}

function roundsOf(conversation: BenchConversation): number {
  return turnsOf(conversation).filter(({ role }) => role === 'user').length
}

function sessionsOf({ sessions }: BenchConversation): number {
  return sessions.length
}

function goldOf({ sessions }: BenchConversation): readonly GoldMemory[] {
  return sessions.flatMap(({ gold }) => gold ?? [])
}

/** Counts the gold memories (those that the data expects) for which a condition holds. */
function countGold(condition: (gold: GoldMemory) => boolean): (all: readonly BenchConversation[]) => number {
  return (all) => sumOf(all, (conversation) => goldOf(conversation).filter(condition).length)
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
