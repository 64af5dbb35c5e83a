// Remembers a talk, asks its questions, and returns the resulting memories and answers as golden lines.
import {
  KeepsakeError,
  MEMORY_STATUSES,
  openMemory,
  type Keepsake,
  type LanguageModel,
  type Recall,
  type ScopedMemory,
} from 'keepsake'
import { presetNamed, type PresetName } from '@keepsake/papers'
import { MemoryNames, memoryLines, operationLines, type Line } from './normalise.ts'
import type { GoldenSession, GoldenTurn, Question, Talk } from './talks.ts'

const RESULTS = 10
/** The number of questions that are asked a second time, now with the preset's strengthening of recalled memories. */
const STRENGTHENING_QUESTIONS = 12

export interface OpenedRun {
  readonly keepsake: Keepsake
  readonly clock: { now: number }
}

/** Opens a memory in RAM. The caller sets its clock, and its ids are numbered, so that runs are the same. */
export async function openRun(preset: PresetName, model?: LanguageModel): Promise<OpenedRun> {
  const clock = { now: 0 }
  let made = 0
  const keepsake = await openMemory({
    path: ':memory:',
    preset: presetNamed(preset),
    maskSecrets: model === undefined,
    now: () => clock.now,
    newId: () => `id${String((made += 1)).padStart(9, '0')}`,
    ...(model === undefined ? {} : { model }),
  })
  return { keepsake, clock }
}

/** Divides turns into rounds: a user's turn with all turns before the user's next one. */
function splitRounds(turns: readonly GoldenTurn[]): GoldenTurn[][] {
  const rounds: GoldenTurn[][] = []
  for (const turn of turns) {
    if (rounds.length === 0 || turn.role === 'user') rounds.push([])
    rounds.at(-1)?.push(turn)
  }
  return rounds
}

export interface RunOptions {
  /** Whether a session is remembered in one call, as in the recordings. Otherwise each round is remembered separately. */
  readonly bySession?: boolean
  /** With n, every n-th question is asked. The default is 1, which asks all. */
  readonly every?: number
  /** Whether each turn has its own line. Otherwise one line contains all turns. */
  readonly hasTurns?: boolean
  /** The number of questions to which the model writes a reply at the end. */
  readonly replies?: number
}

async function rememberSession(
  run: OpenedRun,
  scope: ScopedMemory,
  session: GoldenSession,
  bySession: boolean,
) {
  for (const turns of bySession ? [session.turns] : splitRounds(session.turns)) {
    run.clock.now = Math.max(run.clock.now, turns.at(-1)?.at ?? 0)
    if (bySession || turns.length > 0) await scope.remember(turns, { session: session.id })
    if (!bySession) await scope.drain()
  }
  await scope.endSession(session.id)
  await scope.drain()
}

export async function runTalk(run: OpenedRun, talk: Talk, options: RunOptions = {}): Promise<Line[]> {
  const { bySession = false, every = 1, replies = 0 } = options
  const scope = run.keepsake.scope({ user: talk.user })
  for (const session of talk.sessions) await rememberSession(run, scope, session, bySession)
  const { names, lines } = await dumpScope(scope, talk.name, options.hasTurns ?? true)
  const questions = talk.questions.filter((_, index) => index % every === 0)
  for (const question of questions) {
    const recall = await scope.recall(question.text, { limit: RESULTS, now: question.at, reinforce: false })
    lines.push(...recallLines(`${talk.name}/${question.id}`, recall, names))
  }
  if (bySession) lines.push(...(await replyLines(scope, talk, spread(questions, replies))))
  else lines.push(...(await strengthen(run, scope, talk)))
  return lines
}

/** Asks some questions as an application does. Returns the changed usage of memories, and one more recall after it. */
async function strengthen({ clock }: OpenedRun, scope: ScopedMemory, talk: Talk): Promise<Line[]> {
  for (const { text, at } of talk.questions.slice(0, STRENGTHENING_QUESTIONS)) {
    clock.now = Math.max(clock.now, at)
    await scope.recall(text, { now: at })
  }
  await scope.drain()
  const { names, lines } = await dumpScope(scope, talk.name, false)
  const [question] = talk.questions
  if (question === undefined) return []
  const recall = await scope.recall(question.text, { limit: RESULTS, now: clock.now, reinforce: false })
  const used = lines.filter(({ kind }) => kind === 'usage')
  return [...used, ...recallLines(`${talk.name}/after-use`, recall, names)]
}

function spread<Item>(list: readonly Item[], count: number): Item[] {
  return Array.from({ length: count }, (_, n) => list[Math.floor((n * list.length) / count)]).filter(
    (item) => item !== undefined,
  )
}

async function replyLines(
  scope: ScopedMemory,
  { name }: Talk,
  questions: readonly Question[],
): Promise<Line[]> {
  const lines: Line[] = []
  for (const { id, text, at } of questions) {
    const reply = await attempt(async () => {
      const turn = { role: 'user', text, at } as const
      return (await scope.reply(turn, { remember: false, reinforce: false, now: at })).text
    })
    lines.push({ kind: 'reply', id: `${name}/${id}`, content: String(reply) })
  }
  return lines
}

/** Returns the result of a call, or the code of the error that it throws. */
export async function attempt(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof KeepsakeError)) throw error
    return `error ${error.code}`
  }
}

export function recallLines(id: string, recall: Recall, names: MemoryNames): Line[] {
  const memories = recall.memories
    .map(({ memory, score, evidence }) => ({
      name: names.of(memory),
      score: score.toFixed(3),
      turns: evidence.map(({ turn }) => turn),
    }))
    .toSorted((one, other) => Number(other.score) - Number(one.score) || (one.name < other.name ? -1 : 1))
  const known = recall.known ? 'known' : 'unknown'
  const scores = memories.map(({ score }) => score)
  return [
    { kind: 'recall', id, content: [known, ...memories.map(({ name }) => name)].join(' ') },
    {
      kind: 'evidence',
      id,
      content: memories.map(({ name, turns }) => `${name}:${turns.join(',')}`).join(' '),
    },
    { kind: 'score', id, content: [recall.confidence.toFixed(3), ...scores].join(' ') },
    { kind: 'context', id, content: `${recall.context.tokens} tokens\n${recall.context.text}` },
  ]
}

/** Returns the results of all public read calls about a user as lines, and the names of the user's memories. */
export async function dumpScope(scope: ScopedMemory, talk: string, hasTurns: boolean) {
  const memories = await scope.memories({ statuses: MEMORY_STATUSES })
  const names = new MemoryNames()
  for (const memory of memories) names.add(memory)
  const turns = (await scope.turns()).map((turn): Line => ({
    kind: 'turn',
    id: `${talk}/${turn.id}`,
    content: names.normalise(turn),
  }))
  const allTurns = turns.map(({ content }) => content).join('\n')
  const lines: Line[] = hasTurns ? turns : [{ kind: 'turn', id: `${talk}/all`, content: allTurns }]
  lines.push(...memoryLines(talk, memories, names), ...operationLines(talk, await scope.log(), names))
  const views = {
    sessions: await scope.sessions(),
    persona: await attempt(() => scope.persona()),
    profile: await attempt(() => scope.profile()),
    portrait: await attempt(() => scope.portrait()),
    story: await attempt(() => scope.story()),
    jobs: (await scope.jobs()).map(({ kind, state, reason }) => ({ kind, state, reason })),
  }
  for (const [view, value] of Object.entries(views))
    lines.push({ kind: 'view', id: `${talk}/${view}`, content: names.normalise(value) })
  return { names, lines }
}
