import { HALUMEM } from '../registry/data-sources.ts'
import type { Conditions, PaperItem, PublishedUnit, PaperAsked } from '../registry/paper.ts'
import { byRun, type RunCell } from '../reproduce/by-run.ts'
import { TABLE_3, TABLE_4, TABLE_5 } from './published.ts'

const CONDITIONS: Conditions = {
  model: 'each system’s own',
  reader: 'GPT-4o',
  judge: 'GPT-4o',
  more: ['Ten memories are retrieved for an update, twenty for a question.'],
  settings: {
    retention: null,
    protocol: 'HaluMem’s',
    memoriesWanted: 20,
    contextTokens: 'uncut',
    reranking: null,
    ownAnswers: 'the reader',
  },
}

const OWN_RUBRICS = 'Verdicts are found part by part, where the paper asks a model for each at once.'
const ONE_READER =
  'One reader with one prompt serves every system; the paper has a prompt of each system’s makers.'

/** With a judge model, the run uses the paper's protocol; by rule it cannot. */
const isByProtocol = ({ judge }: PaperAsked): boolean => judge !== undefined
const protocol = (asked: PaperAsked) => (isByProtocol(asked) ? { protocol: 'paper' } : {})
const differsBy =
  (...own: readonly string[]) =>
  (asked: PaperAsked): readonly string[] => [ONE_READER, ...(isByProtocol(asked) ? [] : own)]

const cell = (
  column: string,
  task: RunCell['task'],
  metric: string,
  more: { readonly slice?: string; readonly unit?: PublishedUnit } = {},
): RunCell => ({ column, task, metric, unit: 'percent', ...more })

const TABLE_3_CELLS: readonly RunCell[] = [
  cell('R', 'extraction', 'recall'),
  cell('Weighted R', 'extraction', 'weighted_recall'),
  cell('Target P', 'extraction', 'target_precision'),
  cell('Acc.', 'extraction', 'accuracy'),
  cell('FMR', 'extraction', 'fmr'),
  cell('F1', 'extraction', 'f1'),
  cell('Updating C', 'updating', 'correct'),
  cell('Updating H', 'updating', 'hallucinated'),
  cell('Updating O', 'updating', 'omitted'),
  cell('QA C', 'answering', 'correct'),
  cell('QA H', 'answering', 'hallucinated'),
  cell('QA O', 'answering', 'omitted'),
]

const QUESTION_TYPES = [
  'Basic Fact Recall',
  'Multi-hop Inference',
  'Dynamic Update',
  'Memory Boundary',
  'Generalization & Application',
  'Memory Conflict',
]

const WITH_MODELS =
  'As in the paper with a language model for the system (--model), one that answers (--reader) and one that judges (--judge); the run then goes by the paper’s protocol. Without them everything is by rule: facts drawn by rules, answers copied from what was found, verdicts by words.'

/** What the systems were found to do. */
export const SYSTEM_ITEMS: readonly PaperItem[] = [
  {
    id: 'table 3',
    title: 'Extraction, updating and answering of six memory systems, on Medium and on Long',
    state: 'model',
    note: WITH_MODELS,
    data: HALUMEM,
    conditions: CONDITIONS,
    published: TABLE_3,
    reproduction: {
      needs: [],
      takes: ['model', 'reader', 'judge'],
      choosesSystem: true,
      differences: differsBy(OWN_RUBRICS),
      measure: byRun({
        dataset: 'halumem',
        tasks: ['extraction', 'updating', 'answering'],
        systems: ['keepsake'],
        cells: TABLE_3_CELLS,
        beside: besidePeer,
        more: protocol,
      }),
    },
  },
  {
    id: 'table 4',
    title: 'How many memories of each type are held or updated rightly',
    state: 'model',
    note: WITH_MODELS,
    data: HALUMEM,
    conditions: CONDITIONS,
    published: TABLE_4,
    reproduction: {
      needs: [],
      takes: ['model', 'judge'],
      choosesSystem: true,
      differences: differsBy(OWN_RUBRICS),
      measure: byRun({
        dataset: 'halumem',
        tasks: ['extraction', 'updating'],
        systems: ['keepsake'],
        cells: ['Event', 'Persona', 'Relationship'].map((type) =>
          cell(type, 'extraction', 'typewise', { slice: `type:${type.toLowerCase()}` }),
        ),
        beside: besidePeer,
        more: protocol,
      }),
    },
  },
  {
    id: 'table 5',
    title: 'How long adding the dialogues and retrieving take',
    state: 'model',
    note: 'Times are of the machine, the model and the network that they were measured with. A preset without a model needs a thousandth of them, and does another thing.',
    data: HALUMEM,
    conditions: { ...CONDITIONS, more: ['The machine and the number of requests at a time are not stated.'] },
    published: TABLE_5,
    reproduction: {
      needs: ['model'],
      takes: [],
      choosesSystem: true,
      differences: [
        'Another machine, another model, another network.',
        'Retrieval is timed for questions alone.',
      ],
      measure: byRun({
        dataset: 'halumem',
        tasks: ['answering'],
        systems: ['keepsake'],
        cells: [
          cell('Dialogue Addition', 'cost', 'adding_ms', { unit: 'minutes' }),
          cell('Memory Retrieval', 'cost', 'retrieving_ms', { unit: 'minutes' }),
          cell('Total', 'cost', 'total_ms', { unit: 'minutes' }),
        ],
        beside: besidePeer,
      }),
    },
  },
  {
    id: 'figure 5',
    title: 'How many questions of each type are answered rightly',
    state: 'model',
    note: `Drawn in the paper. ${WITH_MODELS}`,
    data: HALUMEM,
    conditions: CONDITIONS,
    reproduction: {
      needs: [],
      takes: ['model', 'reader', 'judge'],
      choosesSystem: true,
      differences: differsBy(OWN_RUBRICS),
      measure: byRun({
        dataset: 'halumem',
        tasks: ['answering'],
        systems: ['keepsake'],
        cells: QUESTION_TYPES.map((type) =>
          cell(type, 'answering', 'correct', { slice: `category:${type}` }),
        ),
        more: protocol,
      }),
    },
  },
]

/** Peers that can be measured here stand beside themselves, on Medium. */
function besidePeer(system: string): string | null {
  const peers: Readonly<Record<string, string>> = {
    mem0: 'Mem0',
    'mem0-server': 'Mem0',
    'mem0-platform': 'Mem0',
    'mem0-graph': 'Mem0-Graph',
    memobase: 'Memobase',
    memos: 'MemOS',
    supermemory: 'Supermemory',
    zep: 'Zep',
  }
  const peer = peers[system]
  return peer === undefined ? null : `Medium: ${peer}`
}
