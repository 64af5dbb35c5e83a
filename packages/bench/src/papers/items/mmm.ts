// Declares how the tables of the MMM paper are measured here. MMM is a list of memories that a model changes by operations.
import { operations } from '../../operations/operations.ts'
import { UNCUT_TOKENS } from '../../runs/protocol.ts'
import type { PaperRequest, Reproduction } from '../registry/paper.ts'
import { readPaper } from '../registry/read-paper.ts'
import type { Settings } from '../registry/settings.ts'
import { byRun, bySystemColumns, cellsOf, figuresOf, summariseRuns } from '../reproduce/by-run.ts'
import { runForLog } from '../reproduce/run-for-log.ts'

/** Maps our row to the paper's. Ours is the updater that sees the right list, the paper's is the model without tuning. */
const ROWS: Readonly<Record<string, string>> = { 'mmm-gold-list': 'QWen-2.5 7B' }

const CELLS = cellsOf('operations', 'percent', {
  'Operation Type': 'type',
  Index: 'index',
  Content: 'content',
  // Not in the paper. `with its type` counts rounds that need an index or content, right only if the type is right too.
  // `where shown` counts rounds in which the prompt showed the memory.
  'Index, with its type': 'index_where_any',
  'Index, where shown': 'index_where_shown',
  'Content, with its type': 'content_where_any',
})

const bySystem = byRun({
  dataset: 'mem-dialogue',
  tasks: ['operations'],
  systems: ['keepsake'],
  cells: CELLS,
})

/** Reports whether only MMM's updater is measured: the request names a model, and no system. */
const measuresUpdater = ({ model, system }: PaperRequest): boolean =>
  model !== undefined && system === undefined

/** Measures MMM's Table 1. With a model, the updater changes the right list and the list that it made. Without one, a preset works by rules. */
const updaterOnMemDialogue: Reproduction['measure'] = async (request, context) => {
  const { path, model = '', judge, limit } = request
  if (!measuresUpdater(request)) return bySystem(request, context)
  const runs = await runForLog(operations, { path, model, judge, limit }, context)
  const summaries = runs.flatMap((one) => one.summaries)
  const paperRow = (system: string): string | null => ROWS[system] ?? null
  return {
    ...summariseRuns(summaries),
    figures: summaries.flatMap((summary) => figuresOf({ cells: CELLS, paperRow }, summary)),
  }
}

/** Limits so high that a reply sees the whole list, as in the paper. */
const WHOLE_LIST = { memories: 1_000, contextTokens: UNCUT_TOKENS } as const

/** The paper's settings for rows of the updater alone. */
const OF_UPDATER: Settings = { mode: 'gold', split: 'test', listTokens: 'nothing' }
/** The paper's settings for rows of whole systems. */
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

export const MMM = readPaper('mmm', {
  'table 1': {
    needs: [],
    takes: ['model', 'judge'],
    choosesSystem: true,
    settings: (row) => (row.startsWith('mmm-') ? OF_UPDATER : OF_SYSTEMS),
    differences: (request) => [
      OWN_SET,
      measuresUpdater(request)
        ? 'The test split is measured, the updater shown the right list before each round (`mmm-gold-list`), as in the paper, and the list it made itself (`mmm-own-list`).'
        : 'The whole set is measured, of a system that works on the memories it made itself; the paper hands its updater the right list before each round.',
      'A round may hold several operations: the type is right when the expected one is made and nothing else is changed or dropped; further additions count for nothing. In equation 11 a round has one.',
      'Index and content are counted by equations 12 and 13: over all rounds, whatever the type, and right without one where none is due. The columns “with its type” are ours.',
    ],
    measure: updaterOnMemDialogue,
  },
  'table 2': {
    needs: ['model', 'reader', 'judge'],
    takes: [],
    choosesSystem: true,
    settings: OF_SYSTEMS,
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
      runOptions: () => WHOLE_LIST,
    }),
  },
})
