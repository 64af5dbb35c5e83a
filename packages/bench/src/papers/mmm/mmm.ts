import { operations } from '../../operations/operations.ts'
import { findFigure } from '../../results/plain-figures.ts'
import { MEM_DIALOGUE } from '../registry/data-sources.ts'
import type { Paper, HereFigure, PaperAsked, Reproduction } from '../registry/paper.ts'
import type { Settings } from '../registry/settings.ts'
import { shows } from '../registry/shows.ts'
import { UNCUT_TOKENS } from '../../runs/protocol.ts'
import { byRun, bySystemColumns, measuredOf, type RunCell } from '../reproduce/by-run.ts'
import { hereFigure } from '../reproduce/here-figure.ts'
import { runForLog } from '../reproduce/run-for-log.ts'

/** The list that the updater is shown before each turn: the right one, as in the paper, or its own. */
const GOLD = 'mmm-gold-list'
/** The row of a model without tuning. */
const PLAIN = 'QWen-2.5 7B'

const CELLS: readonly RunCell[] = [
  { column: 'Operation Type', unit: 'percent', task: 'operations', metric: 'type' },
  { column: 'Index', unit: 'percent', task: 'operations', metric: 'index' },
  { column: 'Content', unit: 'percent', task: 'operations', metric: 'content' },
]
/** Ours: index and content over the rounds that have one, right only with their type; and the index where the memory was shown. */
const OTHERWISE: readonly RunCell[] = [
  { column: 'Index, with its type', unit: 'percent', task: 'operations', metric: 'index_where_any' },
  { column: 'Index, where shown', unit: 'percent', task: 'operations', metric: 'index_where_shown' },
  { column: 'Content, with its type', unit: 'percent', task: 'operations', metric: 'content_where_any' },
]

const bySystem = byRun({
  dataset: 'mem-dialogue',
  tasks: ['operations'],
  systems: ['keepsake'],
  cells: [...CELLS, ...OTHERWISE],
})

/** Whether MMM's updater is measured alone: with a model and without a system. */
function isOfUpdater({ model, system }: PaperAsked): boolean {
  return model !== undefined && system === undefined
}

/** MMM's Table 1: with a model its updater alone, on the right list and on its own; without one a preset by rules. */
const updaterOnMemDialogue: Reproduction['measure'] = async (asked, context) => {
  const { path, model = '', judge, limit } = asked
  if (!isOfUpdater(asked)) return bySystem(asked, context)
  const runs = await runForLog(operations, { path, model, judge, limit }, context)
  const summaries = runs.flatMap((one) => one.summaries)
  const figures = summaries.flatMap(({ system: row, figures: own }) =>
    [...CELLS, ...OTHERWISE].flatMap(({ column, unit, task, metric }): HereFigure[] => {
      const figure = findFigure(own, task, metric)
      const place = { row, column, unit, beside: row === GOLD ? PLAIN : null }
      return figure === undefined ? [] : [hereFigure(place, figure)]
    }),
  )
  return { ...measuredOf(summaries), figures }
}

/** What the paper hands to a reply. */
const WHOLE_LIST = { memories: 1_000, contextTokens: UNCUT_TOKENS } as const

const OF_UPDATER: Settings = { mode: 'gold', split: 'test', listTokens: 'nothing' }
const OF_SYSTEMS: Settings = {
  retention: 'nothing forgotten',
  protocol: 'the harness’s own',
  memoriesWanted: WHOLE_LIST.memories,
  contextTokens: 'uncut',
  reranking: 'nothing',
  ownAnswers: 'the system',
}

const OWN_SET =
  'The set is made here by the paper’s recipe, as the paper’s own was not published: other themes, other words.'
const OF_TEST_SPLIT =
  'The test split is measured, the updater shown the right list before each round (`mmm-gold-list`), as in the paper, and the list it made itself (`mmm-own-list`).'
const OWN_LIST =
  'The whole set is measured, of a system that works on the memories it made itself; the paper hands its updater the right list before each round.'

/** MMM: a memory that is changed by operations. */
export const MMM: Paper = {
  name: 'mmm',
  title: 'MMM: Managing Memory Updates in Large Language Model Dialogues',
  authors: 'anonymous submission to ACL',
  about: 'A model reads each utterance beside the list of memories and says what to add, modify or delete.',
  items: [
    {
      id: 'table 1',
      title: 'How often the type, the index and the content of an operation are right',
      state: 'data',
      note: 'Mem_Dialogue-100 was not published. On a set of the same form: a language model for the system (--model), and one that judges contents (--judge).',
      data: MEM_DIALOGUE,
      conditions: {
        model: 'Qwen2.5-7B, plain and tuned (LoRA, rank 8, α 32)',
        judge: 'GPT-4o, yes or no, of contents',
        more: ['420 test rounds; the model is shown the true list of memories before each.'],
        settings: (row) => (row.startsWith('mmm-') ? OF_UPDATER : OF_SYSTEMS),
      },
      published: {
        unit: 'percent',
        columns: ['Operation Type', 'Index', 'Content'],
        rows: { 'QWen-2.5 7B': [70.2, 78.5, 79.3], 'QWen-MMM': [74.1, 81.2, 82.9] },
      },
      reproduction: {
        needs: [],
        takes: ['model', 'judge'],
        choosesSystem: true,
        differences: (asked) => [
          OWN_SET,
          ...(isOfUpdater(asked) ? [OF_TEST_SPLIT] : [OWN_LIST]),
          'Index and content are counted by equations 12 and 13: over all rounds, whatever the type, and right without one where none is due. The columns “with its type” are ours.',
        ],
        measure: updaterOnMemDialogue,
      },
    },
    {
      id: 'table 2',
      title: 'How often an answer agrees with the memory as it was last changed',
      state: 'data',
      note: 'Mem_Dialogue-100 was not published. On a set of the same form: a language model for the system (--model), one that answers (--reader), one that judges (--judge).',
      data: MEM_DIALOGUE,
      conditions: {
        model: 'Qwen2.5-7B and GPT-4o',
        reader: 'the same',
        judge: 'not said',
        more: ['The baseline adds memories and never changes one. 100 questions, one a theme.'],
        settings: OF_SYSTEMS,
      },
      published: {
        unit: 'percent',
        columns: ['Baseline', 'Memory Update'],
        rows: { 'Qwen-7B': [53.6, 62.7], 'GPT-4o': [56.4, 63.2] },
      },
      reproduction: {
        needs: ['model', 'reader', 'judge'],
        takes: [],
        choosesSystem: true,
        differences: [
          OWN_SET,
          'Answers are read by one reader for both; in the paper the model that keeps the list replies.',
        ],
        measure: bySystemColumns({
          dataset: 'mem-dialogue',
          tasks: ['answering'],
          columns: { accumulate: 'Baseline', mmm: 'Memory Update' },
          cell: { unit: 'percent', task: 'answering', metric: 'correct' },
          row: 'model',
          more: () => WHOLE_LIST,
        }),
      },
    },
    shows('figure 1', 'What each operation does to the list', 'A drawing; the preset `mmm` does it.'),
    shows('figure 2', 'Where the memory stands in a dialogue', 'A drawing.'),
    shows(
      'figure 3',
      'How Mem_Dialogue-100 was made',
      'A drawing; `keepsake bench generate mem-dialogue` does it.',
    ),
  ],
}
