import { ModelError, type ScopedMemory } from 'keepsake'
import { formatDay, formatMilliseconds } from '../../output/format-quantity.ts'
import { quote } from '../../output/format-memory.ts'
import { sentence } from '../../output/sentence.ts'
import { pad, wrap } from '../../output/style.ts'
import { memoryOf, putToTest, type Chapter, type Person, type Stage } from '../stage.ts'
import { findInFiles } from '../search-files.ts'

/** The card numbers in the conversations: the payment industry's published test numbers, no one's own. */
const CARDS = ['4242 4242 4242 4242', '4111 1111 1111 1111']

export const remember: Chapter = {
  title: 'Remembering',
  about: ({ model }) =>
    `Two people talk with a companion over some weeks. Every turn is on disk before the next is said; what is worth keeping is drawn from it ${model === null ? 'at once, with no language model' : `in the background, by ${model.name}`}.`,
  async tell(stage) {
    const { say, style } = stage
    const times: number[] = []
    const masked = new Map<string, number>()
    const started = performance.now()
    for (const person of [stage.english, stage.chinese]) {
      for (const [kind, count] of await recordPerson(stage, person, times))
        masked.set(kind, (masked.get(kind) ?? 0) + count)
    }
    const total = performance.now() - started
    stage.clock.now = dayAfter([stage.english, stage.chinese])
    const sorted = times.toSorted((one, other) => one - other)
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0
    const slowest = sorted[Math.floor(sorted.length * 0.95)] ?? 0
    const stats = await stage.memory.stats()
    say(
      '',
      `   ${stats.turns} turns, each durable in ${formatMilliseconds(median)} (median; 95 of 100 within ${formatMilliseconds(slowest)}).`,
      `   ${formatMilliseconds(total)} for all of it, with the ${stats.memories.live} memories drawn from them.`,
      '',
    )
    await showMasked(stage)
    const { found } = findInFiles(stage.file, CARDS)
    putToTest(
      stage,
      'No card number they mentioned is in the file: secrets are masked before storage.',
      found.length === 0,
    )
    say(
      wrap(
        style.dim(
          `Masked: ${[...masked].map(([kind, count]) => `${count} × ${kind}`).join(', ') || 'nothing'}`,
        ),
        style.width,
        '    ',
      ),
    )
    return {
      turns: stats.turns,
      medianMs: median,
      p95Ms: slowest,
      totalMs: total,
      memories: stats.memories,
      masked: Object.fromEntries(masked),
    }
  },
}

/** What is seen while a model reads a session. */
export const READING = '   Reading'

/** The day after the last word: the demo's present. */
function dayAfter(people: readonly Person[]): number {
  const times = people.flatMap(({ sessions }) =>
    sessions.flatMap(({ turns }) => turns.map((turn) => Date.parse(turn.at))),
  )
  return Math.max(...times) + 86_400_000
}

async function recordPerson(stage: Stage, person: Person, times: number[]): Promise<Map<string, number>> {
  const { say, style, clock } = stage
  const scope = memoryOf(stage, person)
  const masked = new Map<string, number>()
  for (const { id, turns } of person.sessions) {
    for (const turn of turns) {
      clock.now = Date.parse(turn.at)
      const before = performance.now()
      const remembered = await scope.remember(turn, { session: id })
      times.push(performance.now() - before)
      for (const { kind, count } of remembered.masked) masked.set(kind, (masked.get(kind) ?? 0) + count)
    }
    await scope.endSession(id)
    await read(stage, scope)
  }
  const first = person.sessions[0]?.turns[0]
  const span = first === undefined ? '' : `${formatDay(Date.parse(first.at))} to ${formatDay(clock.now)}`
  const turns = person.sessions.reduce((sum, session) => sum + session.turns.length, 0)
  say(
    `   ${style.bold(pad(person.name, 8))}  ${person.sessions.length} sessions, ${String(turns).padStart(3)} turns, ${span}`,
  )
  return masked
}

/** Has a session read. What a model answers badly is told, and the demo goes on; one that cannot be reached ends it. */
async function read({ progress, say, style }: Stage, scope: ScopedMemory): Promise<void> {
  progress.wait(READING)
  try {
    await scope.drain()
  } catch (error) {
    if (!(error instanceof ModelError) || error.code !== 'model-answer') throw error
    progress.stop()
    say(wrap(style.warn(`Left for later: ${sentence(error.message)}`), style.width, '   '))
  } finally {
    progress.stop()
  }
}

/** Shows how the turn with the card number was stored. */
async function showMasked(stage: Stage): Promise<void> {
  const turn = stage.english.sessions
    .flatMap((session) => session.turns)
    .find((one) => one.text.includes(CARDS[0] ?? ''))
  if (turn === undefined) return
  const { style, say } = stage
  const memories = await memoryOf(stage, stage.english).memories({
    statuses: ['live', 'forgotten', 'deleted', 'quarantined'],
    forms: ['utterance'],
  })
  const kept = memories.find((memory) => memory.evidence.some((evidence) => evidence.turn === turn.id))
  say(wrap(`${stage.english.name} said ${quote(turn.text)}`, style.width, '   '))
  if (kept !== undefined) say(wrap(`stored as ${quote(shownPart(kept.text))}`, style.width, '   '), '')
}

/** The line of a round that holds the masked words. */
function shownPart(text: string): string {
  return text.split('\n').find((line) => line.includes('race fee')) ?? text
}
