import type { EntryOf } from '../../log/log-entry.ts'
import { entriesOf } from '../../runs/figures/make-figures.ts'
import { run } from '../../runs/run.ts'
import type { SystemName } from '../../systems/open-system.ts'
import { LUFY_DATASET } from '../registry/data-sources.ts'
import type { PaperItem, HereFigure, Reproduction } from '../registry/paper.ts'
import { measuredOf } from '../reproduce/by-run.ts'
import { cosineBins, cosineThresholds } from '../reproduce/cosine-on-lufy.ts'
import { counted } from '../reproduce/here-figure.ts'
import { runForLog } from '../reproduce/run-for-log.ts'

const PLACES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const
const COLUMN = 'Ratio'

/** LUFY's Table 15: how often a right memory is among the first k. */
const topOnLufy: Reproduction['measure'] = async (asked, context) => {
  const { system = ['naive-rag'], ...given } = asked
  const options = {
    dataset: 'lufy' as const,
    tasks: ['retrieval' as const],
    system: [...system] as SystemName[],
    ...given,
  }
  const runs = await runForLog(run, options, context)
  const summaries = runs.flatMap((one) => one.summaries)
  const figures = runs.flatMap(({ summaries: [summary], log }) =>
    summary === undefined ? [] : placesOf(summary.system, entriesOf(log, 'retrieval')),
  )
  const people = new Set(runs.flatMap(({ log }) => entriesOf(log, 'done').map(({ person }) => person)))
  return { ...measuredOf(summaries), size: people.size, figures }
}

function placesOf(system: string, entries: readonly EntryOf<'retrieval'>[]): HereFigure[] {
  const asked = entries.filter(({ evidence }) => evidence.length > 0)
  const among = (k: number): number =>
    asked.filter(({ units, evidence }) => units.slice(0, k).some((id) => evidence.includes(id))).length
  const last = PLACES.at(-1) ?? 0
  const percent = (count: number): number | null => (asked.length === 0 ? null : (count / asked.length) * 100)
  const tell = (place: string, count: number): HereFigure =>
    counted(
      { row: `${system}, ${place.toLowerCase()}`, column: COLUMN, beside: place, unit: 'percent' },
      percent(count),
      asked.length,
    )
  return [
    ...PLACES.map((k) => tell(`Top ${k}`, among(k))),
    tell(`(Not in Top ${last})`, asked.length - among(last)),
  ]
}

const BY_WORDS =
  'Which memories answer a question is decided by the answer’s words, which accepts more than a person would; in the paper a person decided.'
const PAIRS_ALONE = 'Memories are utterance pairs; the paper’s had summaries of sessions among them.'

export const RETRIEVAL_ITEMS: readonly PaperItem[] = [
  {
    id: 'table 15',
    title: 'How often the right memory is among the first one to ten that are found',
    state: 'deterministic',
    note: 'Questions are put to a store that forgets nothing and ranks by cosine; --embedding names the paper’s embedder or another.',
    data: LUFY_DATASET,
    conditions: {
      settings: { retention: 'nothing forgotten', protocol: 'the harness’s own' },
      embedding: 'text-embedding-ada-002',
      more: ['495 of the 510 questions: those that one memory answers.'],
    },
    published: {
      unit: 'percent',
      columns: ['Ratio'],
      rows: {
        'Top 1': [52.5],
        'Top 2': [61.8],
        'Top 3': [71.6],
        'Top 4': [79.9],
        'Top 5': [84.8],
        'Top 6': [85.6],
        'Top 7': [88.2],
        'Top 8': [88.2],
        'Top 9': [90.6],
        'Top 10': [91.2],
        '(Not in Top 10)': [8.8],
      },
    },
    headline: [1, 2, 5, 10].map((k) => [`Top ${k}`, 'Ratio'] as const),
    reproduction: {
      needs: [],
      takes: ['embedding'],
      choosesSystem: true,
      differences: [
        BY_WORDS,
        PAIRS_ALONE,
        'Questions whose answer’s words stand in no utterance pair are left out, and the shared first session’s are asked once.',
      ],
      measure: topOnLufy,
    },
  },
  {
    id: 'figure 10',
    title: 'Right and wrong memories among the ten nearest to a question, by cosine',
    state: 'deterministic',
    note: 'Drawn in the paper. In its text: below a cosine of 0.75 no memory was right, and the nearer the more often right.',
    data: LUFY_DATASET,
    conditions: { embedding: 'text-embedding-ada-002' },
    reproduction: {
      needs: [],
      takes: ['embedding'],
      differences: [BY_WORDS, PAIRS_ALONE],
      measure: cosineBins,
    },
  },
  {
    id: 'figure 11',
    title: 'Precision, recall and F1 of what is found above each threshold of cosine',
    state: 'deterministic',
    note: 'Drawn in the paper. In its text: F1 stays the same from 0.75 to 0.8 and falls beyond.',
    data: LUFY_DATASET,
    conditions: { embedding: 'text-embedding-ada-002' },
    reproduction: {
      needs: [],
      takes: ['embedding'],
      differences: [BY_WORDS, PAIRS_ALONE],
      measure: cosineThresholds,
    },
  },
]
