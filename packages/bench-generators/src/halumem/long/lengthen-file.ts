import { appendFileSync, createReadStream, existsSync, readFileSync, truncateSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { seededDraw } from '@keepsake/bench/parts'
import { z } from 'zod'
import { GenerateError } from '../../generate-error.ts'
import { Corpus } from './corpus.ts'
import { lengthenUser, mediumUserSchema, tokensOf, type MediumUser } from './lengthen-user.ts'

/** HaluMem-Long's average of a user (table 6). */
export const PUBLISHED_LONG_TOKENS = 1_007_265

export interface LongOptions {
  /** A file in HaluMem's form: the published Medium, or one that was made. */
  readonly from: string
  /** Where the lengthened one is written, a user a line; users that stand there already are not made again. */
  readonly out: string
  /** Folder of exchanges to fill it with ({@link Corpus}). */
  readonly corpus: string
  /** Tokens of each user's talk, as Keepsake estimates them. Default: those of HaluMem-Long. */
  readonly tokens?: number | undefined
  /** A whole number from 0: the same seed gives the same file. */
  readonly seed: number
  readonly onProgress?: (done: number) => void
}

export interface LengthenedUser {
  readonly uuid: string
  readonly sessions: number
  readonly insertedSessions: number
  readonly rounds: number
  readonly tokens: number
}

/**
 * Makes HaluMem's Long variant of a file of any size from exchanges of one's own: user by user, each written when it is done, so
 * that no more than one is held, and a run that was stopped goes on with the next.
 *
 * @returns what each user of the file holds, those of an earlier run included
 * @throws GenerateError for a file or corpus that cannot be read, or a corpus that is too small
 * @example
 * await generateLong({ from: 'HaluMem-Medium.jsonl', corpus: './eli5', out: 'long.jsonl', seed: 1 })
 */
export async function generateLong(options: LongOptions): Promise<LengthenedUser[]> {
  const { from, out, seed, tokens = PUBLISHED_LONG_TOKENS, onProgress } = options
  const corpus = await Corpus.open(options.corpus)
  const done = readDone(out)
  const users: LengthenedUser[] = []
  let place = 0
  for await (const { line, where } of linesOf(from)) {
    const user = readUser(line, where)
    const standing = done.get(user.uuid)
    if (standing !== undefined && standing.tokens < tokens)
      throw new GenerateError(
        `${out} holds ${user.uuid} with ${standing.tokens} tokens, made for fewer than ${tokens}: write another file.`,
      )
    const long =
      standing ?? countUser(writeUser(out, lengthenUser(seededDraw(seed, place), user, { corpus, tokens })))
    users.push(long)
    place += 1
    onProgress?.(place)
  }
  if (users.length === 0) throw new GenerateError(`${from} holds no user.`)
  return users
}

function writeUser(out: string, user: MediumUser): MediumUser {
  appendFileSync(out, `${JSON.stringify(user)}\n`)
  return user
}

/** What an earlier run has written; a last line that a kill cut off is taken out. */
function readDone(out: string): Map<string, LengthenedUser> {
  if (!existsSync(out)) return new Map()
  const bytes = readFileSync(out)
  const end = bytes.lastIndexOf(10) + 1
  if (end < bytes.length) truncateSync(out, end)
  const done = new Map<string, LengthenedUser>()
  for (let from = 0; from < end;) {
    const to = bytes.indexOf(10, from)
    const user = readUser(bytes.toString('utf8', from, to), out)
    done.set(user.uuid, countUser(user))
    from = to + 1
  }
  return done
}

function countUser({ uuid, sessions }: MediumUser): LengthenedUser {
  return {
    uuid,
    sessions: sessions.length,
    insertedSessions: sessions.filter((session) => session['is_generated_qa_session'] === true).length,
    rounds: sessions.reduce(
      (sum, { dialogue }) => sum + dialogue.filter(({ role }) => role === 'user').length,
      0,
    ),
    tokens: sessions.reduce((sum, session) => sum + tokensOf(session), 0),
  }
}

async function* linesOf(file: string): AsyncGenerator<{ readonly line: string; readonly where: string }> {
  if (!existsSync(file)) throw new GenerateError(`${file}: there is no such file.`)
  let number = 0
  for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    number += 1
    if (line.trim() !== '') yield { line, where: `${file}:${number}` }
  }
}

function readUser(line: string, where: string): MediumUser {
  try {
    return mediumUserSchema.parse(JSON.parse(line))
  } catch (cause) {
    const issue =
      cause instanceof z.ZodError
        ? `: ${cause.issues[0]?.path.join('.') ?? ''} ${cause.issues[0]?.message ?? ''}`
        : ''
    throw new GenerateError(`${where} is no user in HaluMem's form${issue}.`, { cause })
  }
}
