import { loadLufyTalks, type ForgettingTalk, type TalkUnit } from '@keepsake/bench/parts'
import { openMemory, type Memory } from 'keepsake'
import type { Preset } from 'keepsake/preset'
import { findPreset } from '@keepsake/papers'
import { wordsOf } from './annotate-memory.ts'
import type { Marked } from './annotation.ts'

/** Makes a preset that keeps only pairs (a user's turn with the agent's answer), since the annotators of LUFY's talks marked pairs. */
function makePairsPreset(): Preset {
  const { reply: _reply, always: _always, ...preset } = findPreset('lufy')
  return { ...preset, branches: [{ kind: 'utterances', order: 'answer' }], recalls: ['utterance'] }
}

/**
 * Combines the marks of LUFY's annotators with the engine's measures. The preset `lufy` remembers each talk. Its pairs are read at the
 * end of each session, which is the paper's time t = 2.
 */
export async function annotateLufy(directory: string): Promise<Marked[]> {
  const { talks } = await loadLufyTalks(directory)
  const marked: Marked[] = []
  for (const talk of talks) marked.push(...(await annotateTalk(talk)))
  return marked
}

async function annotateTalk(talk: ForgettingTalk): Promise<Marked[]> {
  const clock = { now: 0 }
  const keepsake = await openMemory({
    path: ':memory:',
    preset: makePairsPreset(),
    maskSecrets: false,
    now: () => clock.now,
  })
  const unitOf = new Map(talk.units.flatMap((unit) => unit.turns.map(({ id }) => [id, unit] as const)))
  const marked: Marked[] = []
  try {
    const scope = keepsake.scope({ user: talk.person })
    for (let session = 1; session <= talk.sessions; session++) {
      const id = `s${session}`
      for (const unit of talk.units) {
        if (unit.session !== session) continue
        clock.now = unit.turns.at(-1)?.at ?? clock.now
        await scope.recall(wordsOf(unit.turns, 'user'))
        await scope.remember(
          unit.turns.map(({ id: turn, role, text, at }) => ({ id: turn, role, text, at })),
          { session: id },
        )
        await scope.drain()
      }
      await scope.endSession(id)
      await scope.drain()
      if (session < talk.countsFrom) continue
      const pairs = await scope.memories({ forms: ['utterance'], statuses: ['live', 'forgotten'] })
      marked.push(...pairs.flatMap((pair) => markOf(talk, unitOf, pair, id)))
    }
  } finally {
    await keepsake.close()
  }
  return marked
}

/** Returns the annotated exchange of a pair, or nothing if the pair is of another session, has no marks, or no words of the user. */
function markOf(
  talk: ForgettingTalk,
  unitOf: ReadonlyMap<string, TalkUnit>,
  { session, evidence, signals, use: { first, second } }: Memory,
  currentSession: string,
): Marked[] {
  const unit = unitOf.get(evidence[0]?.turn ?? '')
  if (unit === undefined || session !== currentSession || unit.marked.length === 0) return []
  const important = unit.marked.filter(Boolean).length / unit.marked.length
  const [user, agent] = [wordsOf(unit.turns, 'user'), wordsOf(unit.turns, 'assistant')]
  const named = { person: talk.person, session: `${talk.name}/${session}` }
  return user === '' ? [] : [{ ...named, user, agent, signals, use: { first, second }, important }]
}
