import type { Memory } from 'keepsake'
import { selectForgotten } from 'keepsake/preset'
import type { ForgettingMoment, ForgettingPolicy, Retention, Signals } from 'keepsake/preset'
import type { TalkUnit } from './forgetting-talk.ts'
import type { ForgettingRun, ForgettingSystem } from './forgetting-system.ts'
import { saidBy, type SignalsOf } from './measure-talk-signals.ts'
import type { RankMemories } from './rank-by-words.ts'

export interface PolicySystemOptions {
  readonly policy: ForgettingPolicy
  readonly retention: Retention
  readonly signals: SignalsOf
  readonly rank: RankMemories
  /** Number of memories that a recall uses (LUFY 1, MOOM 9). */
  readonly first: number
  /** Number of next memories that a recall only counts (LUFY 1), or suppresses (MOOM 9). */
  readonly second: number
  /** Weight of the policy's strength in the ranking (LUFY 0.1). Default 0. */
  readonly strengthWeight?: number
}

/** Makes a system that runs a policy by pure functions of the engine, without a store. Many capacities or seeds would take minutes in the engine. */
export function policySystem(options: PolicySystemOptions): ForgettingSystem {
  return { name: options.policy.name, start: () => new PolicyRun(options) }
}

class PolicyRun implements ForgettingRun {
  readonly #options: PolicySystemOptions
  #memories: Memory[] = []
  #round = 0
  #session = 1
  #now = 0

  constructor(options: PolicySystemOptions) {
    this.#options = options
  }

  hear(unit: TalkUnit): void {
    this.#session = unit.session
    this.#now = unit.turns.at(-1)?.at ?? this.#now
    this.#reinforce(saidBy(unit, 'user'))
    this.#round++
    this.#memories.push(makeMemory(unit, this.#round, this.#options.signals(unit)))
    if (this.#exceedsCapacity()) this.#forget()
  }

  endSession(): ReadonlySet<string> {
    if (this.#options.retention.when === 'session-end') this.#forget()
    return new Set(this.#memories.map((memory) => memory.id))
  }

  ask(question: string): string[] {
    return this.#rank(question).map((memory) => memory.id)
  }

  close(): void {
    this.#memories = []
  }

  #reinforce(question: string): void {
    const { first, second } = this.#options
    if (first + second === 0) return
    const recalled = this.#rank(question).slice(0, first + second)
    const ranks = new Map(recalled.map((memory, rank) => [memory.id, rank]))
    this.#memories = this.#memories.map((memory) => {
      const rank = ranks.get(memory.id)
      return rank === undefined ? memory : this.#reinforceMemory(memory, rank < first)
    })
  }

  #reinforceMemory(memory: Memory, isUsed: boolean): Memory {
    const { use } = memory
    const round = this.#round + 1
    if (!isUsed) return { ...memory, use: { ...use, second: use.second + 1, secondAt: round } }
    const rounds = [...use.rounds, round]
    const lastUse = { lastSession: this.#session, lastAt: this.#now }
    return { ...memory, use: { ...use, ...lastUse, first: use.first + 1, rounds } }
  }

  #rank(query: string): Memory[] {
    const recalled = this.#options.rank(query, this.#memories)
    const weight = this.#options.strengthWeight ?? 0
    const memories = recalled.map(({ memory }) => memory)
    const strengths = weight === 0 ? [] : this.#strengths(memories, true)
    return recalled
      .map(({ memory, score }, i) => ({ memory, score: score + weight * (strengths[i]?.value ?? 0) }))
      .sort((a, b) => b.score - a.score)
      .map(({ memory }) => memory)
  }

  #strengths(memories: readonly Memory[], underWay: boolean) {
    const moment: ForgettingMoment = { session: this.#session, round: this.#round, now: this.#now, underWay }
    return this.#options.policy.strengths(memories, moment)
  }

  /** Reports whether a capacity may be exceeded. Below the capacity nothing is forgotten, so strengths need not be computed. */
  #exceedsCapacity(): boolean {
    const { retention } = this.#options
    if (retention.when !== 'capacity') return false
    // A capacity in characters is checked by `selectForgotten`.
    const countsMemories = retention.memories !== undefined && retention.characters === undefined
    return !countsMemories || this.#memories.length > (retention.memories ?? 0)
  }

  #forget(): void {
    const memories = this.#memories
    const strengths = this.#strengths(memories, false)
    const { judged } = selectForgotten({
      memories,
      strengths,
      retention: this.#options.retention,
      made: this.#round,
    })
    const kept = new Set(judged.filter((one) => one.kept).map((one) => one.memory.id))
    this.#memories = memories.filter((memory) => kept.has(memory.id))
  }
}

/** Makes a memory of a unit, as the engine would store it. */
function makeMemory(unit: TalkUnit, round: number, signals: Signals): Memory {
  const at = unit.turns.at(-1)?.at ?? 0
  return {
    id: unit.id,
    scope: 1,
    form: 'utterance',
    type: 'event',
    subject: 'user',
    text: unit.turns.map((turn) => `${turn.speaker}: ${turn.text}`).join('\n'),
    searchWords: '',
    key: null,
    value: null,
    level: 0,
    label: 'user-stated',
    evidence: [],
    sources: [],
    status: 'live',
    reason: null,
    pinned: false,
    learnedAt: at,
    validFrom: at,
    validUntil: null,
    past: [],
    session: `s${unit.session}`,
    sessionNumber: unit.session,
    round,
    signals,
    use: { first: 0, second: 0, rounds: [], lastSession: unit.session, lastAt: at },
    origin: { preset: 'bench', step: 'pair/1', promptVersion: null, model: null },
    name: null,
    limit: null,
    metadata: null,
  }
}
