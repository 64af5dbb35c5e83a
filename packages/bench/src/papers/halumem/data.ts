import { estimateTokens } from 'keepsake'
import type { BenchConversation, GoldMemory } from '../../datasets/conversation.ts'
import { HALUMEM } from '../registry/data-sources.ts'
import type { PaperItem } from '../registry/paper.ts'
import { byCounting, meanOf, sumOf, turnsOf, type Count } from '../reproduce/count-data.ts'

const QUESTION_TYPES = [
  'Basic Fact Recall',
  'Multi-hop Inference',
  'Dynamic Update',
  'Memory Boundary',
  'Memory Conflict',
  'Generalization & Application',
] as const

const COUNTS: readonly Count[] = [
  { column: 'Avg Context Length (tokens/user)', of: (all) => meanOf(all, tokensOf) },
  { column: 'Avg Session Num (per user)', of: (all) => meanOf(all, ({ sessions }) => sessions.length) },
  {
    column: 'Avg Dialogue Turns per Session',
    of: (all) =>
      ratio(
        sumOf(all, roundsOf),
        sumOf(all, ({ sessions }) => sessions.length),
      ),
  },
  { column: 'Total Dialogue Turns', of: (all) => sumOf(all, roundsOf) },
  {
    column: 'Avg Memory Num per Session',
    of: (all) =>
      ratio(
        sumOf(all, (one) => goldOf(one).length),
        sumOf(all, ({ sessions }) => sessions.length),
      ),
  },
  { column: 'Distractor Memories', of: countGold(({ source }) => source === 'interference') },
  { column: 'Update Memories', of: countGold(({ isUpdate }) => isUpdate) },
  { column: 'Persona Memories', of: countGold(({ type }) => type === 'persona') },
  { column: 'Event Memories', of: countGold(({ type }) => type === 'event') },
  { column: 'Relationship Memories', of: countGold(({ type }) => type === 'relationship') },
  { column: 'Total Memories', of: countGold(() => true) },
  { column: 'Avg Questions per User', of: (all) => meanOf(all, ({ questions }) => questions.length) },
  { column: 'Total Questions', of: (all) => sumOf(all, ({ questions }) => questions.length) },
  ...QUESTION_TYPES.map((column): Count => ({
    column,
    of: (all) =>
      sumOf(all, ({ questions }) => questions.filter(({ category }) => category === column).length),
  })),
]

export const DATA_ITEMS: readonly PaperItem[] = [
  {
    id: 'table 6',
    title: 'How many sessions, rounds, memory points and questions the data has',
    state: 'deterministic',
    note: 'Counted in the file.',
    data: HALUMEM,
    published: {
      unit: 'count',
      columns: COUNTS.map(({ column }) => column),
      rows: {
        'HaluMem-Medium': [
          159_910.95, 69.35, 21.68, 30_073, 10.78, 2648, 3122, 9116, 4550, 1282, 14_948, 173.35, 3467, 746,
          198, 180, 828, 769, 746,
        ],
        'HaluMem-Long': [
          1_007_264.65, 120.85, 22.14, 53_516, 6.18, 2648, 3122, 9116, 4550, 1282, 14_948, 173.35, 3467, 746,
          198, 180, 828, 769, 746,
        ],
      },
    },
    reproduction: {
      needs: [],
      takes: [],
      differences: [
        'Tokens are estimated from the characters; the paper does not name its tokenizer.',
        'A turn of the paper is a round: what the user said and what was answered.',
        'Update memories are those that name what they update; the paper counts all that carry the flag.',
      ],
      measure: byCounting({
        dataset: 'halumem',
        row: 'the file',
        beside: (all) => ((meanOf(all, tokensOf) ?? 0) > LONG_FROM ? 'HaluMem-Long' : 'HaluMem-Medium'),
        counts: COUNTS,
        remarks: tellOrigin,
      }),
    },
  },
  {
    id: 'section 4',
    title: 'How right, relevant and consistent people find the memory points and questions',
    state: 'people',
    note: 'Eight annotators rated 700 sessions; their ratings were not published.',
    data: HALUMEM,
    published: {
      unit: 'score',
      columns: ['Correctness', 'Relevance', 'Consistency'],
      unitOf: { Correctness: 'percent' },
      rows: { 'HaluMem-Medium': [95.7, 9.58, 9.45] },
    },
  },
]

/** Tokens a user, between the two variants. */
const LONG_FROM = 400_000

/** Sets of `keepsake bench generate` name their language, the published ones do not. */
function tellOrigin(conversations: readonly BenchConversation[]): string[] {
  return conversations.some(({ isOwnSet }) => isOwnSet)
    ? [
        'The file is one of `keepsake bench generate halumem`: other users than the paper’s, and no part of HaluMem.',
      ]
    : []
}

function tokensOf(conversation: BenchConversation): number {
  return turnsOf(conversation).reduce((sum, { text }) => sum + estimateTokens(text), 0)
}

function roundsOf({ sessions }: BenchConversation): number {
  return sessions.reduce((sum, { turns }) => sum + turns.filter(({ role }) => role === 'user').length, 0)
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
