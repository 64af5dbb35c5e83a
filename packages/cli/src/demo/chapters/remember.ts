import { ModelError, type ScopedMemory } from 'keepsake'
import { quote } from '../../output/format-memory.ts'
import { formatMilliseconds, formatSpan } from '../../output/format-quantity.ts'
import { sentence } from '../../output/sentence.ts'
import { pad } from '../../output/style.ts'
import { findInFiles } from '../search-files.ts'
import type { Chapter, Person, Stage } from '../stage.ts'

/** The card numbers in the conversations: the payment industry's published test numbers, no one's own. */
const CARDS = ['4242 4242 4242 4242', '4111 1111 1111 1111'] as const
const DAY_MS = 86_400_000

export const remember: Chapter = {
  title: 'Remembering',
  about: ({ model }) =>
    `Two users chat with a companion over some weeks. Every message is on disk before the next one; facts are extracted ${model === null ? 'immediately, with no language model' : `in the background by ${model.name}`}.`,
  async tell(stage) {
    const { say, paragraph, style, clock } = stage
    const recorded: Recorded = { times: [], masked: {} }
    const started = performance.now()
    const lastDays: number[] = []
    for (const person of [stage.english, stage.chinese]) {
      await recordPerson(stage, person, recorded)
      lastDays.push(clock.now)
    }
    const totalMs = performance.now() - started
    // The demo's present: the day after the last word.
    clock.now = Math.max(...lastDays) + DAY_MS
    const { times, masked } = recorded
    times.sort((one, other) => one - other)
    const medianMs = times[Math.floor(times.length / 2)] ?? 0
    const p95Ms = times[Math.floor(times.length * 0.95)] ?? 0
    const { turns, memories } = await stage.memory.stats()
    say(
      '',
      `   ${turns} turns, each durable in ${formatMilliseconds(medianMs)} (median; 95 of 100 within ${formatMilliseconds(p95Ms)}).`,
      `   ${formatMilliseconds(totalMs)} in total, including ${memories.live} extracted memories.`,
      '',
    )
    await showMasked(stage)
    stage.putToTest(
      'No card number is in the file: secrets are masked before storage.',
      findInFiles(stage.file, CARDS).found.length === 0,
    )
    const kinds = Object.entries(masked).map(([kind, count]) => `${count} × ${kind}`)
    paragraph(style.dim(`Masked: ${kinds.join(', ') || 'nothing'}`), '    ')
    return { turns, medianMs, p95Ms, totalMs, memories, masked }
  },
}

/** What is seen while a model reads a session. */
export const READING = '   Extracting facts'

/** What recording came to. */
interface Recorded {
  /** How long each turn took to be durable, in milliseconds. */
  readonly times: number[]
  /** Secrets masked, by kind. */
  readonly masked: Record<string, number>
}

async function recordPerson(stage: Stage, person: Person, { times, masked }: Recorded): Promise<void> {
  const { say, style, clock } = stage
  const { name, memory, sessions } = person
  const turns = sessions.flatMap((session) => session.turns)
  for (const session of sessions) {
    for (const turn of session.turns) {
      clock.now = Date.parse(turn.at)
      const before = performance.now()
      const remembered = await memory.remember(turn, { session: session.id })
      times.push(performance.now() - before)
      for (const { kind, count } of remembered.maskedSecrets) masked[kind] = (masked[kind] ?? 0) + count
    }
    await memory.endSession(session.id)
    await read(stage, memory)
  }
  const span = formatSpan(Date.parse(turns[0]?.at ?? ''), clock.now)
  const counts = `${sessions.length} sessions, ${String(turns.length).padStart(3)} turns`
  say(`   ${style.bold(pad(name, 8))}  ${counts}, ${span}`)
}

/** Has a session read. What a model answers badly is told, and the demo goes on; one that cannot be reached ends it. */
async function read({ progress, paragraph, style }: Stage, memory: ScopedMemory): Promise<void> {
  progress.wait(READING)
  try {
    await memory.drain()
  } catch (error) {
    if (!(error instanceof ModelError) || error.code !== 'model-answer') throw error
    progress.stop()
    paragraph(style.warn(`Left for later: ${sentence(error.message)}`))
  } finally {
    progress.stop()
  }
}

/** Shows how the turn with the card number was stored. */
async function showMasked({ say, paragraph, english }: Stage): Promise<void> {
  const { name, sessions, memory } = english
  const turn = sessions.flatMap((session) => session.turns).find(({ text }) => text.includes(CARDS[0]))
  if (turn === undefined) return
  paragraph(`${name} said ${quote(turn.text)}`)
  const rounds = await memory.memories({
    statuses: ['live', 'forgotten', 'deleted', 'quarantined'],
    forms: ['utterance'],
  })
  const kept = rounds.find(({ evidence }) => evidence.some((one) => one.turn === turn.id))?.text
  // The line of a round that holds the masked words.
  const line = kept?.split('\n').find((one) => one.includes('race fee')) ?? kept
  if (line === undefined) return
  paragraph(`stored as ${quote(line)}`)
  say('')
}
