import { ImportError } from './import-error.ts'
import type { ImportSettings, ImportSource, PlacedTurn } from './import-source.ts'
import { LeftOut, type LeftOutReason } from './left-out.ts'
import { requireOne } from './of-person.ts'
import { optionName } from './option-name.ts'

/** The turns that an import of a file would store, in numbers and examples. */
export interface FileSurvey {
  readonly file: string
  readonly format: string
  readonly turns: number
  readonly sessions: number
  readonly users: readonly string[]
  readonly speakers: Readonly<Record<string, number>>
  /** Names under which the user speaks. */
  readonly userNames: readonly string[]
  /** Turns without a time, which are dated at import. */
  readonly undated: number
  /** First and last time, in milliseconds since 1970. */
  readonly from: number | null
  readonly until: number | null
  readonly first: string | null
  readonly last: string | null
  /** Turns without a speaker, such as memories of other programs. */
  readonly statements: number
  readonly blocks: number
  /** Numbers of skipped parts by reason. */
  readonly leftOut: readonly { readonly reason: LeftOutReason; readonly count: number }[]
  /** Sentences about skipped parts, and about how ambiguous parts were read. */
  readonly notes: readonly string[]
}

/** Maximum number of speakers to count. */
const MAX_SPEAKERS = 1_000

/** Surveys a file before an import, one turn per step, and stores nothing. @throws ImportError naming file and line */
export function* surveySource(
  source: ImportSource,
  settings: ImportSettings,
): Generator<void, FileSurvey, undefined> {
  const leftOut = new LeftOut()
  const survey = new Survey(source, settings)
  for (const placed of source.turns(leftOut)) {
    survey.add(placed)
    yield
  }
  return survey.end(leftOut)
}

/** Explains why nothing of a file would be imported. Returns `null` if there is something to import. */
export function sayNothingFound({ file, format, turns, blocks, notes }: FileSurvey): string | null {
  if (turns + blocks > 0) return null
  const reasons = notes.length === 0 ? '' : ` ${notes.join(' ')}`
  return `Nothing was imported: ${file}, read as ${format}, contains no message that can be remembered.${reasons}`
}

class Survey {
  readonly #source: ImportSource
  readonly #settings: ImportSettings
  readonly #sessions = new Set<string>()
  /** Users who get turns. */
  readonly #users = new Set<string>()
  /** Users that the file names, with the number of their turns, also of skipped ones. */
  readonly #namedUsers = new Map<string, number>()
  readonly #speakers = new Map<string, number>()
  readonly #userNames = new Set<string>()
  readonly #counts = { turns: 0, undated: 0, statements: 0, blocks: 0 }
  #from = Number.POSITIVE_INFINITY
  #until = Number.NEGATIVE_INFINITY
  #first: PlacedTurn | null = null
  #last: PlacedTurn | null = null

  constructor(source: ImportSource, settings: ImportSettings) {
    this.#source = source
    this.#settings = settings
  }

  add(placed: PlacedTurn): void {
    const { turn, session, block } = placed
    const user = this.#settings.user ?? placed.user
    if (user === null) throw this.#noUserError()
    if (placed.user !== null) this.#namedUsers.set(placed.user, (this.#namedUsers.get(placed.user) ?? 0) + 1)
    if (turn.remember === false) return
    this.#users.add(user)
    if (block !== undefined) {
      this.#counts.blocks += 1
      return
    }
    this.#sessions.add(JSON.stringify([user, session]))
    this.#countSpeaker(turn.speaker ?? turn.role, turn.role)
    this.#counts.turns += 1
    if (turn.role === 'other') this.#counts.statements += 1
    if (turn.at === undefined) this.#counts.undated += 1
    this.#from = Math.min(this.#from, turn.at ?? this.#from)
    this.#until = Math.max(this.#until, turn.at ?? this.#until)
    this.#first ??= placed
    this.#last = placed
  }

  end(leftOut: LeftOut): FileSurvey {
    // A request must choose one of several users with `of`. On the command line --user decides.
    if (this.#settings.by === 'request' && this.#settings.of === undefined)
      requireOne(this.#source.name, this.#namedUsers, this.#settings)
    const { turns, undated } = this.#counts
    const finiteOrNull = (at: number): number | null => (Number.isFinite(at) ? at : null)
    const undatedTurns = undated === turns ? 'No turn has a time' : `${undated} turns have no time`
    const undatedNote = undated === 0 ? [] : [`${undatedTurns}: they are dated at import.`]
    return {
      file: this.#source.name,
      format: this.#source.format,
      ...this.#counts,
      sessions: this.#sessions.size,
      users: [...this.#users],
      speakers: Object.fromEntries(this.#speakers),
      userNames: [...this.#userNames],
      from: finiteOrNull(this.#from),
      until: finiteOrNull(this.#until),
      first: this.#first?.turn.text ?? null,
      last: this.#last?.turn.text ?? null,
      leftOut: leftOut.counts,
      notes: [...(this.#source.notes ?? []), ...leftOut.sentences, ...undatedNote],
    }
  }

  #countSpeaker(speaker: string, role: string): void {
    if (!this.#speakers.has(speaker) && this.#speakers.size >= MAX_SPEAKERS) return
    this.#speakers.set(speaker, (this.#speakers.get(speaker) ?? 0) + 1)
    if (role === 'user') this.#userNames.add(speaker)
  }

  #noUserError(): ImportError {
    const { name, format } = this.#source
    const lines = format === 'jsonl' ? ', or give each line a "user"' : ''
    return new ImportError(
      `${name} does not name a user: set one with ${optionName(this.#settings, 'user')}${lines}.`,
      { asks: 'user', choices: [] },
    )
  }
}
