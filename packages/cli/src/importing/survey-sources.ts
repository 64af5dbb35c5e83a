import { setImmediate as breathe } from 'node:timers/promises'
import type { Progress } from '../output/progress.ts'
import { wrongUsage } from '../cli-error.ts'
import type { ImportSettings, ImportSource, PlacedTurn } from './import-source.ts'
import { LeftOut } from './left-out.ts'

/** Turns between two looks at what else waits: the progress bar, and Ctrl-C. */
const BREATH = 2_000

/** What a file holds that would be imported. */
export interface FileSurvey {
  readonly file: string
  readonly format: string
  readonly turns: number
  readonly sessions: number
  /** Whose memory they would go into. */
  readonly users: readonly string[]
  /** Who speaks, and in how many turns. */
  readonly speakers: Readonly<Record<string, number>>
  /** Turns without a time, which are dated when they are imported. */
  readonly undated: number
  /** Milliseconds since 1970. */
  readonly from: number | null
  readonly until: number | null
  readonly first: string | null
  readonly last: string | null
  /** Statements that nobody said. */
  readonly statements: number
  readonly notes: readonly string[]
}

/** Reads the files whole before anything is stored: what is wrong in them is told, and how much there is. */
export async function surveySources(
  sources: readonly ImportSource[],
  settings: ImportSettings,
  progress: Progress,
): Promise<FileSurvey[]> {
  const surveys: FileSurvey[] = []
  for (const source of sources) {
    progress.start(`Reading ${source.name}`, null)
    const leftOut = new LeftOut()
    const survey = new Survey(source, settings)
    let count = 0
    for (const placed of source.turns(leftOut)) {
      survey.add(placed)
      count += 1
      if (count % BREATH !== 0) continue
      progress.add(BREATH)
      await breathe()
    }
    surveys.push(survey.end(leftOut))
  }
  progress.stop()
  return surveys
}

class Survey {
  readonly #source: ImportSource
  readonly #settings: ImportSettings
  readonly #sessions = new Set<string>()
  readonly #users = new Set<string>()
  readonly #speakers = new Map<string, number>()
  readonly #counts = { turns: 0, undated: 0, statements: 0 }
  #from = Number.POSITIVE_INFINITY
  #until = Number.NEGATIVE_INFINITY
  #first: PlacedTurn | null = null
  #last: PlacedTurn | null = null

  constructor(source: ImportSource, settings: ImportSettings) {
    this.#source = source
    this.#settings = settings
  }

  add(placed: PlacedTurn): void {
    const { turn, session } = placed
    const user = this.#settings.user ?? placed.user
    if (user === null)
      throw wrongUsage(
        `${this.#source.name} does not say whose memory it is: name the person with --user${this.#source.format === 'jsonl' ? ', or give each line a "user"' : ''}.`,
      )
    if (turn.remember === false) return
    this.#users.add(user)
    this.#sessions.add(JSON.stringify([user, session]))
    const speaker = turn.speaker ?? turn.role
    this.#speakers.set(speaker, (this.#speakers.get(speaker) ?? 0) + 1)
    this.#counts.turns += 1
    if (turn.role === 'other') this.#counts.statements += 1
    if (turn.at === undefined) this.#counts.undated += 1
    this.#from = Math.min(this.#from, turn.at ?? this.#from)
    this.#until = Math.max(this.#until, turn.at ?? this.#until)
    this.#first ??= placed
    this.#last = placed
  }

  end(leftOut: LeftOut): FileSurvey {
    const { turns, undated } = this.#counts
    const dated = (at: number): number | null => (Number.isFinite(at) ? at : null)
    const undatedNote =
      undated === 0
        ? []
        : [
            `${undated === turns ? 'No turn has a time' : `${undated} turns have no time`}: they are dated when they are imported.`,
          ]
    return {
      file: this.#source.name,
      format: this.#source.format,
      ...this.#counts,
      sessions: this.#sessions.size,
      users: [...this.#users],
      speakers: Object.fromEntries(this.#speakers),
      from: dated(this.#from),
      until: dated(this.#until),
      first: this.#first?.turn.text ?? null,
      last: this.#last?.turn.text ?? null,
      notes: [...(this.#source.told ?? []), ...leftOut.sentences, ...undatedNote],
    }
  }
}
