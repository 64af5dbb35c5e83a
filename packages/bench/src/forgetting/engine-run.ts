import type { EmbeddingModel, LanguageModel } from 'keepsake'
import type { ArousalModel, SurpriseModel } from 'keepsake/model'
import type { Branch, Preset, Retention, UtteranceBranch } from 'keepsake/preset'
import { findPreset } from '@keepsake/papers'
import { openPreset, type KeepsakeMemory } from '../systems/keepsake.ts'
import type { ForgettingTalk, TalkUnit } from './forgetting-talk.ts'
import type { ForgettingRun, ForgettingSystem } from './forgetting-system.ts'
import { saidBy, type SignalsOf } from './measure-talk-signals.ts'
import type { PolicySetting } from './policies.ts'

/** Enough that no kept unit is cut off: the harness cuts at its own k. */
const RETRIEVAL_LIMIT = 50
/** Budget of a context that is not read. */
const CONTEXT_TOKENS = 1_000

/** What measures and finds the units, where it is not what is built in. */
export interface EngineModels {
  /** Rates importance, for presets that ask a language model for it. */
  readonly model?: LanguageModel | undefined
  readonly arousal?: ArousalModel | undefined
  readonly surprise?: SurpriseModel | undefined
  readonly embedding?: EmbeddingModel | undefined
}

/**
 * Runs a policy through the engine's public API, each talk in an in-memory store, so that disk speed does not matter. The preset stores
 * units unchanged and nothing else, since the harness counts units.
 *
 * @param options.importance judges the units in the engine's place, for policies that use it
 */
export function engineSystem(
  setting: PolicySetting,
  retention: Retention,
  {
    importance,
    models = {},
  }: { readonly importance?: SignalsOf | undefined; readonly models?: EngineModels } = {},
): ForgettingSystem {
  const { policy, first, second, preset: base } = setting
  const { model = null, embedding = null, ...measuring } = models
  const published = findPreset(base, { model: model !== null })
  const rated = published.importance === 'model' ? published.branches.find(isUtterances) : undefined
  const preset: Preset = {
    ...published,
    name: `bench-${policy.name}`,
    branches: [{ ...rated, kind: 'utterances', order: 'answer' }],
    recalls: ['utterance'],
    policy,
    retention,
    use: { limit: Math.max(1, first + second), first, second, reinforce: first + second > 0 },
  }
  return {
    name: policy.name,
    start: async (talk) => {
      const judged = importance === undefined ? {} : { importance: importanceIn(talk, importance) }
      const settings = { user: 'person', model: rated === undefined ? null : model, embedding }
      return new EngineRun(await openPreset(preset, settings, { ...measuring, ...judged }), first + second)
    },
  }
}

function isUtterances(branch: Branch): branch is UtteranceBranch {
  return branch.kind === 'utterances'
}

function importanceIn(talk: ForgettingTalk, signalsOf: SignalsOf) {
  const judged = new Map(talk.units.map((unit) => [saidBy(unit, 'user'), signalsOf(unit).importance]))
  return {
    id: 'bench/judged-beforehand',
    importance: (text: string): number => {
      const importance = judged.get(text) ?? null
      if (importance === null) throw new RangeError(`Nothing was judged of “${text}” in ${talk.name}.`)
      return importance
    },
  }
}

class EngineRun implements ForgettingRun {
  readonly #memory: KeepsakeMemory
  readonly #used: number
  readonly #unitOf = new Map<string, string>()
  #now = 0

  /** @param used how many memories a recall uses or counts */
  constructor(memory: KeepsakeMemory, used: number) {
    this.#memory = memory
    this.#used = used
  }

  async hear(unit: TalkUnit): Promise<void> {
    const { turns, session } = unit
    this.#now = turns.at(-1)?.at ?? this.#now
    for (const turn of turns) this.#unitOf.set(turn.id, unit.id)
    const recall = { limit: this.#used, at: this.#now, tokens: CONTEXT_TOKENS, reinforce: true }
    if (this.#used > 0) await this.#memory.retrieve(saidBy(unit, 'user'), recall)
    await this.#memory.addDialogue({ session: `s${session}`, turns, endsSession: false })
  }

  async endSession(session: number): Promise<ReadonlySet<string>> {
    await this.#memory.addDialogue({ session: `s${session}`, turns: [], endsSession: true })
    return new Set(this.#unitsOf(await this.#memory.memories()))
  }

  async ask(question: string): Promise<readonly string[]> {
    const asked = { limit: RETRIEVAL_LIMIT, at: this.#now, tokens: CONTEXT_TOKENS }
    return this.#unitsOf((await this.#memory.retrieve(question, asked)).memories)
  }

  close(): Promise<void> {
    return this.#memory.close()
  }

  #unitsOf(memories: readonly { readonly turns: readonly string[] | null }[]): string[] {
    const turns = memories.flatMap((memory) => memory.turns ?? [])
    return [...new Set(turns.map((turn) => this.#unitOf.get(turn) ?? turn))]
  }
}
