import { setImmediate as yieldEventLoop } from 'node:timers/promises'
import {
  surveyExport,
  surveySource,
  type FileSurvey,
  type ImportSettings,
  type ImportSource,
  type InputFile,
} from '@keepsake/importing'
import { formatCount, formatMoment } from '../output/format-quantity.ts'
import { table, type Shown } from '../output/print.ts'
import type { Progress } from '../output/progress.ts'
import { printable, shorten, wrap, type Style } from '../output/style.ts'

/** Maximum number of users and speakers shown. */
const MAX_NAMES = 6
/** Width of the row labels, in columns. */
const LABEL_WIDTH = 12

/** Shows what an import would store, file by file. */
export function showSurveys(surveys: readonly FileSurvey[], db: string): Shown {
  return {
    data: surveys,
    formatText: (style) =>
      [
        ...surveys.map((survey) => describeSurvey(survey, style)),
        `Nothing was stored. Without --dry-run, the import goes into ${db}.`,
      ].join('\n\n'),
  }
}

function describeSurvey(survey: FileSurvey, { bold, dim, warn, width }: Style): string {
  const { file, format, turns, sessions, blocks, from, until, notes } = survey
  const excerpt = (text: string | null): string =>
    text === null ? '' : shorten(printable(text), width - LABEL_WIDTH)
  const speakers = Object.entries(survey.speakers)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} (${count.toLocaleString('en')})`)
  const rows = {
    user: joinNames(survey.users),
    speakers: joinNames(speakers),
    turns: `${turns.toLocaleString('en')} in ${formatCount(sessions, 'session')}`,
    blocks: blocks === 0 ? '' : blocks.toLocaleString('en'),
    time: from === null || until === null ? '' : `${formatMoment(from)} to ${formatMoment(until)}`,
    first: excerpt(survey.first),
    last: excerpt(survey.last),
  }
  const cells = Object.entries(rows).flatMap(([name, text]) =>
    text === '' ? [] : [[dim(name), printable(text)]],
  )
  return [
    `${bold(file)} (${format})`,
    table([], cells),
    ...notes.map((note) => warn(wrap(note, width))),
  ].join('\n')
}

/** Joins the first names, with the number of all. */
const joinNames = (names: readonly string[]): string =>
  names.length > MAX_NAMES
    ? `${names.slice(0, MAX_NAMES).join(', ')}, … (${names.length} in all)`
    : names.join(', ')

/** Shows the content of Keepsake's own exports. @throws ImportError with the file and line of an invalid row */
export function showExports(files: readonly InputFile[]): Shown {
  const surveys = files.map(surveyExport)
  return {
    data: surveys,
    formatText: () =>
      [
        ...surveys.map(
          ({ file, users, turns, sessions, operations, defines }) =>
            `${file}: Keepsake's own export of ${users.join(', ')}: ${formatCount(turns, 'turn')} of ${formatCount(sessions, 'session')}, ${formatCount(operations, 'operation')}.${definesNote(defines)}`,
        ),
        'Nothing was stored.',
      ].join('\n'),
  }
}

const definesNote = (names: readonly string[]): string =>
  names.length === 0
    ? ''
    : ` Its facts belong to ${joinNames(names)}: open the memory with these categories and keys.`

/** Turns between two updates of the progress bar. Each update also lets the process handle Ctrl-C. */
const UPDATE_INTERVAL = 2_000

/** Reads all files before anything is stored, to report errors and amounts first. */
export async function surveySources(
  sources: readonly ImportSource[],
  settings: ImportSettings,
  progress: Progress,
): Promise<FileSurvey[]> {
  const surveys: FileSurvey[] = []
  for (const source of sources) {
    progress.start(`Reading turns of ${source.name}`, null)
    const steps = surveySource(source, settings)
    let count = 0
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        surveys.push(step.value)
        break
      }
      count += 1
      if (count % UPDATE_INTERVAL !== 0) continue
      progress.add(UPDATE_INTERVAL)
      await yieldEventLoop()
    }
  }
  progress.stop()
  return surveys
}
