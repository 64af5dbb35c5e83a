import { surveyExport, type InputFile } from '@keepsake/importing'
import { formatCount } from '../output/format-quantity.ts'
import type { Shown } from '../output/print.ts'

/** What Keepsake's own exports hold. @throws ImportError naming file and line of what is no row */
export function showExports(files: readonly InputFile[]): Shown {
  const surveys = files.map(surveyExport)
  return {
    data: surveys,
    words: () =>
      [
        ...surveys.map(
          ({ file, users, turns, sessions, operations }) =>
            `${file}: Keepsake's own export of ${users.join(', ')}: ${formatCount(turns, 'turn')} of ${formatCount(sessions, 'session')}, ${formatCount(operations, 'operation')}.`,
        ),
        'Nothing was stored.',
      ].join('\n'),
  }
}
