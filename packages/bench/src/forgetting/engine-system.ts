import { findPreset, openMemory, type Preset, type Retention } from 'keepsake'
import type { ForgettingTalk, TalkUnit } from './forgetting-talk.ts'
import type { ForgettingRun, ForgettingSystem } from './forgetting-system.ts'
import { saidBy, type SignalsOf } from './measure-talk-signals.ts'
import type { PolicySetting } from './policies.ts'

/** Enough that no kept unit is cut off: the harness cuts at its own k. */
const ASKED_FOR = 50
const USER = 'person'

type Opened = Awaited<ReturnType<typeof openMemory>>
type Scoped = ReturnType<Opened['scope']>
type ImportanceModel = NonNullable<NonNullable<Parameters<typeof openMemory>[0]>['importance']>

/**
 * A policy through the engine's public API, each talk in a store of its own (in memory, so that a disk's speed does
 * not show). The preset keeps units as they were said and nothing else: the harness counts units.
 *
 * @param importance judges the units in the engine's place, for policies that go by it
 */
export function engineSystem(
  setting: PolicySetting,
  retention: Retention,
  importance?: SignalsOf,
): ForgettingSystem {
  const { policy, first, second, preset: base } = setting
  const preset: Preset = {
    ...findPreset(base),
    name: `bench-${policy.name}`,
    branches: [{ kind: 'utterances', order: 'answer' }],
    recalls: ['utterance'],
    policy,
    retention,
    use: { limit: Math.max(1, first + second), first, second, reinforce: first + second > 0 },
  }
  return {
    name: policy.name,
    start: async (talk) => {
      const clock = { now: 0 }
      const opened = await openMemory({
        path: ':memory:',
        preset,
        maskSecrets: false,
        now: () => clock.now,
        ...(importance === undefined ? {} : { importance: importanceIn(talk, importance) }),
      })
      return new EngineRun(opened, clock, first + second)
    },
  }
}

/** What was judged of each unit of a talk, by its user's words. */
function importanceIn(talk: ForgettingTalk, signalsOf: SignalsOf): ImportanceModel {
  const judged = new Map(talk.units.map((unit) => [saidBy(unit, 'user'), signalsOf(unit).importance]))
  return {
    id: 'bench/judged-beforehand',
    importance: (text) => {
      const importance = judged.get(text) ?? null
      if (importance === null) throw new RangeError(`Nothing was judged of “${text}” in ${talk.name}.`)
      return importance
    },
  }
}

class EngineRun implements ForgettingRun {
  readonly #opened: Opened
  readonly #memory: Scoped
  readonly #clock: { now: number }
  readonly #used: number
  readonly #unitOf = new Map<string, string>()

  constructor(opened: Opened, clock: { now: number }, used: number) {
    this.#opened = opened
    this.#memory = opened.scope({ user: USER })
    this.#clock = clock
    this.#used = used
  }

  async hear(unit: TalkUnit): Promise<void> {
    this.#clock.now = unit.turns.at(-1)?.at ?? this.#clock.now
    for (const turn of unit.turns) this.#unitOf.set(turn.id, unit.id)
    if (this.#used > 0)
      await this.#memory.recall(saidBy(unit, 'user'), { limit: this.#used, reinforce: true })
    const turns = unit.turns.map(({ zone, ...turn }) => ({ ...turn, timeZone: zone }))
    await this.#memory.remember(turns, { session: `s${unit.session}` })
    await this.#memory.drain()
  }

  async endSession(session: number): Promise<ReadonlySet<string>> {
    await this.#memory.endSession(`s${session}`)
    await this.#memory.drain()
    const live = await this.#memory.memories({ statuses: ['live'] })
    return new Set(live.flatMap((memory) => this.#unitsOf(memory.evidence)))
  }

  async ask(question: string): Promise<readonly string[]> {
    const { memories } = await this.#memory.recall(question, { limit: ASKED_FOR, reinforce: false })
    return [...new Set(memories.flatMap(({ memory }) => this.#unitsOf(memory.evidence)))]
  }

  async close(): Promise<void> {
    await this.#opened.close()
  }

  #unitsOf(evidence: readonly { readonly turn: string }[]): string[] {
    return [...new Set(evidence.map(({ turn }) => this.#unitOf.get(turn) ?? turn))]
  }
}
