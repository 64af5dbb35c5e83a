// How the tables of the HaluMem paper are measured here. HaluMem asks at which step of a memory system false memories arise.
import { estimateTokens } from 'keepsake'
import type { BenchConversation, GoldMemory } from '../../datasets/conversation.ts'
import { QUESTION_TYPES } from '../../datasets/halumem.ts'
import { openDataset } from '../../datasets/open-dataset.ts'
import type { FigureTask, TaskName } from '../../log/figure.ts'
import type { ModelRole, PaperRequest, Reproduction } from '../registry/paper.ts'
import { readPaper, type Measuring } from '../registry/read-paper.ts'
import { byRun, cellsOf, type RunCell, type RunTable } from '../reproduce/by-run.ts'
import { byCounting, meanOf, sumOf, turnsOf, type Count } from '../reproduce/count-data.ts'

/** Table 6 of the paper: the size of the data. */
const COUNTS: readonly Count[] = [
  { column: 'Avg Context Length (tokens/user)', of: (all) => meanOf(all, tokensOf) },
  { column: 'Avg Session Num (per user)', of: (all) => meanOf(all, sessionsOf) },
  {
    column: 'Avg Dialogue Turns per Session',
    of: (all) => ratio(sumOf(all, roundsOf), sumOf(all, sessionsOf)),
  },
  { column: 'Total Dialogue Turns', of: (all) => sumOf(all, roundsOf) },
  {
    column: 'Avg Memory Num per Session',
    of: (all) => ratio(countGold(() => true)(all), sumOf(all, sessionsOf)),
  },
  { column: 'Distractor Memories', of: countGold(({ source }) => source === 'interference') },
  { column: 'Update Memories', of: countGold(({ isUpdate, isCalledUpdate = isUpdate }) => isCalledUpdate) },
  ...['Persona', 'Event', 'Relationship'].map((type): Count => ({
    column: `${type} Memories`,
    of: countGold((gold) => gold.type === type.toLowerCase()),
  })),
  { column: 'Total Memories', of: countGold(() => true) },
  { column: 'Avg Questions per User', of: (all) => meanOf(all, ({ questions }) => questions.length) },
  { column: 'Total Questions', of: (all) => sumOf(all, ({ questions }) => questions.length) },
  ...QUESTION_TYPES.map((column): Count => ({
    column,
    of: (all) =>
      sumOf(all, ({ questions }) => questions.filter(({ category }) => category === column).length),
  })),
]

/** Users of HaluMem-Long have more tokens than this, users of HaluMem-Medium fewer. */
const MIN_LONG_TOKENS = 400_000

const ONE_READER =
  'One reader with one prompt serves every system; the paper has a prompt of each system’s makers.'
const OWN_RUBRICS = 'Verdicts are found part by part, where the paper asks a model for each at once.'

/** Whether the run uses the paper's protocol, which needs a judge model. */
const isByProtocol = ({ judge }: PaperRequest): boolean => judge !== undefined

const ofSystems = (tasks: readonly TaskName[], cells: readonly RunCell[]): RunTable => ({
  dataset: 'halumem',
  tasks,
  systems: ['keepsake'],
  cells,
})

const withPaperRows =
  (table: RunTable): Reproduction['measure'] =>
  async (request, context) =>
    byRun({ ...table, beside: await readRows(request.path) })(request, context)

/** A table of verdicts. If a model judges, the run follows the paper's protocol. */
const judged = (takes: readonly ModelRole[], table: RunTable): Measuring => ({
  needs: [],
  takes,
  choosesSystem: true,
  differences: (request) => (isByProtocol(request) ? [ONE_READER] : [ONE_READER, OWN_RUBRICS]),
  measure: withPaperRows({
    ...table,
    runOptions: (request) => (isByProtocol(request) ? { protocol: 'paper' } : {}),
  }),
})

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
      beside: (all) => `HaluMem-${variantOf(meanOf(all, tokensOf) ?? 0)}`,
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

const PEERS: Readonly<Record<string, string>> = {
  mem0: 'Mem0',
  memobase: 'Memobase',
  memos: 'MemOS',
  supermemory: 'Supermemory',
  zep: 'Zep',
}

/** Returns a function from a system to its row. The file's first user shows whether that is Medium or Long; generated files have none. */
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
