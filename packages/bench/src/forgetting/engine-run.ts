// Runs a forgetting policy in the engine, one talk after the other.
import type { EmbeddingModel, LanguageModel } from 'keepsake'
import type { ArousalModel, SurpriseModel } from 'keepsake/model'
import type { Branch, Preset, Retention, UtteranceBranch } from 'keepsake/preset'
import { findPreset } from '@keepsake/papers'
import { openPreset, type KeepsakeMemory } from '../systems/keepsake.ts'
import type { ForgettingTalk, TalkUnit } from './forgetting-talk.ts'
import type { ForgettingRun, ForgettingSystem } from './forgetting-system.ts'
import { saidBy, type SignalsOf } from './measure-talk-signals.ts'
import type { PolicySetting } from './policies.ts'

/** A limit above the number of results that the harness counts, so that the engine cuts off none of them. */
const RETRIEVAL_LIMIT = 50
/** Token budget of contexts, which nothing reads here. */
const CONTEXT_TOKENS = 1_000

/** Models that measure and find units. Absent: the built-in measures. */
export interface EngineModels {
  /** Rates importance, for presets that ask a language model for it. */
  readonly model?: LanguageModel | undefined
  readonly arousal?: ArousalModel | undefined
  readonly surprise?: SurpriseModel | undefined
  readonly embedding?: EmbeddingModel | undefined
}

/** Makes a system that runs a policy through the engine's public API and stores units as they are. `importance` replaces the engine's own. */
export function engineSystem(
  setting: PolicySetting,
  retention: Retention,
  {
    importance,
    models = {},
  }: { readonly importance?: SignalsOf | undefined; readonly models?: EngineModels } = {},
): ForgettingSystem {
  const { policy, first, second, preset: base } = setting
  const { model = null, embedding = null, ...signalModels } = models
  const published = findPreset(base, { model: model !== null })
  const ratedBranch = published.importance === 'model' ? published.branches.find(isUtterances) : undefined
  const preset: Preset = {
    ...published,
    name: `bench-${policy.name}`,
    branches: [{ ...ratedBranch, kind: 'utterances', order: 'answer' }],
    recalls: ['utterance'],
    policy,
    retention,
    use: { limit: Math.max(1, first + second), first, second, reinforce: first + second > 0 },
  }
  return {
    name: policy.name,
    start: async (talk) => {
      const importanceModel =
        importance === undefined ? {} : { importance: importanceModelOf(talk, importance) }
      const settings = { user: 'person', model: ratedBranch === undefined ? null : model, embedding }
      return new EngineRun(
        await openPreset(preset, settings, { ...signalModels, ...importanceModel }),
        first + second,
      )
    },
  }
}

function isUtterances(branch: Branch): branch is UtteranceBranch {
  return branch.kind === 'utterances'
}

/** Makes a model of importance that returns values measured before. */
function importanceModelOf(talk: ForgettingTalk, signalsOf: SignalsOf) {
  const importanceOfText = new Map(
    talk.units.map((unit) => [saidBy(unit, 'user'), signalsOf(unit).importance]),
  )
  return {
    id: 'bench/judged-beforehand',
    importance: (text: string): number => {
      const importance = importanceOfText.get(text) ?? null
      if (importance === null) throw new RangeError(`Nothing was judged of “${text}” in ${talk.name}.`)
      return importance
    },
  }
}

class EngineRun implements ForgettingRun {
  readonly #memory: KeepsakeMemory
  readonly #recallLimit: number
  readonly #unitOf = new Map<string, string>()
  #now = 0

  /** @param recallLimit the number of memories that the recall for a turn returns. 0: it recalls nothing */
  constructor(memory: KeepsakeMemory, recallLimit: number) {
    this.#memory = memory
    this.#recallLimit = recallLimit
  }

  async hear(unit: TalkUnit): Promise<void> {
    const { turns, session } = unit
    this.#now = turns.at(-1)?.at ?? this.#now
    for (const turn of turns) this.#unitOf.set(turn.id, unit.id)
    const recall = { limit: this.#recallLimit, at: this.#now, tokens: CONTEXT_TOKENS, reinforce: true }
    if (this.#recallLimit > 0) await this.#memory.retrieve(saidBy(unit, 'user'), recall)
    await this.#memory.addDialogue({ session: `s${session}`, turns, endsSession: false })
  }

  async endSession(session: number): Promise<ReadonlySet<string>> {
    await this.#memory.addDialogue({ session: `s${session}`, turns: [], endsSession: true })
    return new Set(this.#unitsOf(await this.#memory.memories()))
  }

  async ask(question: string): Promise<readonly string[]> {
    const options = { limit: RETRIEVAL_LIMIT, at: this.#now, tokens: CONTEXT_TOKENS }
    return this.#unitsOf((await this.#memory.retrieve(question, options)).memories)
  }

  close(): Promise<void> {
    return this.#memory.close()
  }

  #unitsOf(memories: readonly { readonly turns: readonly string[] | null }[]): string[] {
    const turns = memories.flatMap((memory) => memory.turns ?? [])
    return [...new Set(turns.map((turn) => this.#unitOf.get(turn) ?? turn))]
  }
}
