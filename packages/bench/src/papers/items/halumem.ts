// HaluMem, where in a memory system what is untrue comes from: how its tables are measured here.
import { estimateTokens } from 'keepsake'
import type { BenchConversation, GoldMemory } from '../../datasets/conversation.ts'
import { QUESTION_TYPES } from '../../datasets/halumem.ts'
import { openDataset } from '../../datasets/open-dataset.ts'
import type { FigureTask, TaskName } from '../../log/figure.ts'
import type { ModelRole, PaperAsked, Reproduction } from '../registry/paper.ts'
import { readPaper, type Measuring } from '../registry/read-paper.ts'
import { byRun, cellsOf, type RunCell, type RunTable } from '../reproduce/by-run.ts'
import { byCounting, meanOf, sumOf, turnsOf, type Count } from '../reproduce/count-data.ts'

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
    of: (all) =>
      ratio(
        sumOf(all, (one) => goldOf(one).length),
        sumOf(all, sessionsOf),
      ),
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

/** Tokens a user, between the two variants. */
const LONG_FROM = 400_000

const ONE_READER =
  'One reader with one prompt serves every system; the paper has a prompt of each system’s makers.'
const OWN_RUBRICS = 'Verdicts are found part by part, where the paper asks a model for each at once.'

/** With a judge model, the run uses the paper's protocol; by rule it cannot. */
const isByProtocol = ({ judge }: PaperAsked): boolean => judge !== undefined

const ofSystems = (tasks: readonly TaskName[], cells: readonly RunCell[]): RunTable => ({
  dataset: 'halumem',
  tasks,
  systems: ['keepsake'],
  cells,
})

const besideRows =
  (table: RunTable): Reproduction['measure'] =>
  async (asked, context) =>
    byRun({ ...table, beside: await readRows(asked.path) })(asked, context)

/** A table of verdicts, by the paper's protocol where a model judges. */
const judged = (takes: readonly ModelRole[], table: RunTable): Measuring => ({
  needs: [],
  takes,
  choosesSystem: true,
  differences: (asked) => (isByProtocol(asked) ? [ONE_READER] : [ONE_READER, OWN_RUBRICS]),
  measure: besideRows({ ...table, more: (asked) => (isByProtocol(asked) ? { protocol: 'paper' } : {}) }),
})

const sliced = (task: FigureTask, metric: string, slices: Readonly<Record<string, string>>): RunCell[] =>
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
      sliced('extraction', 'typewise', {
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
    measure: besideRows(
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
      sliced(
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
      beside: (all) => `HaluMem-${halfOf(meanOf(all, tokensOf) ?? 0)}`,
      counts: COUNTS,
      // Sets of `keepsake bench generate` name their language, the published ones do not.
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
  'mem0-graph': 'Mem0-Graph',
  memobase: 'Memobase',
  memos: 'MemOS',
  supermemory: 'Supermemory',
  zep: 'Zep',
}

/** The paper's rows for peers on a file: of Medium or Long, by its first user, and none for a generated set. */
export async function readRows(path: string): Promise<(system: string) => string | null> {
  const dataset = await openDataset('halumem', path)
  for await (const user of dataset.conversations()) {
    const half = halfOf(tokensOf(user))
    return (system) => {
      const peer = PEERS[system.replace(/-(server|platform)$/, '')]
      return peer === undefined || user.isOwnSet === true ? null : `${half}: ${peer}`
    }
  }
  return () => null
}

function halfOf(tokens: number): 'Medium' | 'Long' {
  return tokens > LONG_FROM ? 'Long' : 'Medium'
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

function countGold(is: (gold: GoldMemory) => boolean): Count['of'] {
  return (all) => sumOf(all, (one) => goldOf(one).filter(is).length)
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
