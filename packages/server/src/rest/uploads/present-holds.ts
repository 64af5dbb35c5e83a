import type { ExportSurvey, FileHolds, FileSurvey } from '@keepsake/importing'
import type { z } from '@hono/zod-openapi'
import type { importPreviewSchema } from '../schemas/import.ts'

type Preview = z.input<typeof importPreviewSchema>
type Holds = NonNullable<Preview['holds']>

/** Speakers told at most. */
const MOST_SPEAKERS = 100
/** Characters of the first and last turn. */
const MOST_WORDS = 500

/** What a file holds, as it goes out. */
export function presentHolds(holds: FileHolds): Pick<Preview, 'format' | 'holds'> {
  return holds.kind === 'export'
    ? { format: 'keepsake', holds: ofExport(holds.survey) }
    : { format: holds.survey.format as Preview['format'], holds: ofTurns(holds.survey) }
}

function ofTurns(survey: FileSurvey): Holds {
  const { turns, sessions, statements, undated, from, until, first, last, users, userNames } = survey
  const speakers = Object.entries(survey.speakers)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST_SPEAKERS)
    .map(([name, count]) => ({ name, turns: count }))
  return {
    turns,
    sessions,
    userNames: userNames.slice(0, MOST_SPEAKERS),
    speakers,
    people: [...users],
    statements,
    undated,
    from: momentOf(from),
    until: momentOf(until),
    first: shortened(first),
    last: shortened(last),
    leftOut: [...survey.leftOut],
    notes: [...survey.notes],
  }
}

const ofExport = ({ users, turns, sessions }: ExportSurvey): Holds => ({
  turns,
  sessions,
  userNames: [],
  speakers: [],
  people: [...users],
  statements: 0,
  undated: 0,
  from: null,
  until: null,
  first: null,
  last: null,
  leftOut: [],
  notes: [],
})

const momentOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

function shortened(text: string | null): string | null {
  if (text === null || text.length <= MOST_WORDS) return text
  return `${text.slice(0, MOST_WORDS).replace(/[\uD800-\uDBFF]$/, '')}…`
}
