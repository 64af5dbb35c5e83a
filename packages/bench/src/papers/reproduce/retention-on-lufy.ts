import { openArousalModel, openSurpriseModel } from '@keepsake/models'
import { lufyForgetting as lufy, type LufyMetric } from '@keepsake/papers'
import type { ForgettingPolicy } from 'keepsake/preset'
import { listEntrants, type Entrant } from '../../forgetting/entrants.ts'
import { policySteps } from '../../forgetting/forgetting.ts'
import type { PolicyRecord } from '../../forgetting/forgetting-figures.ts'
import { measureTalkSignals, type SignalsOf } from '../../forgetting/measure-talk-signals.ts'
import { LUFY as LUFY_SETTING } from '../../forgetting/policies.ts'
import { loadLufyTalks } from '../../forgetting/read-lufy-talks.ts'
import { agreementAmongPeople, type SessionScore } from '../../forgetting/score-forgetting.ts'
import { estimateMean, type PersonScore } from '../../forgetting/summarise-scores.ts'
import { mean } from '../../metrics/means.ts'
import type { BenchContext } from '../../benchmark/benchmark.ts'
import type { HereFigure, Measured, PaperAsked, Reproduction } from '../registry/paper.ts'
import { counted, hereFigure } from './here-figure.ts'

const SESSIONS = [1, 2, 3, 4] as const
/** LUFY 4.2: a tenth is kept. */
const KEEP = 0.1
const SEED = 1
const CHANCES = 20
/** LUFY's Tables 13 and 14. */
const LEFT_OUT = ['A', 'P', 'L', 'R1', 'R2'] as const satisfies readonly LufyMetric[]

/** A policy of the benchmark `forgetting`, and the paper's corresponding row. */
interface Policy {
  readonly name: string
  readonly beside: string | null
}

const LUFY: Policy = { name: 'lufy', beside: 'LUFY' }
const MEMORY_BANK: Policy = { name: 'ebbinghaus', beside: 'MemoryBank' }
/** The scale of the paper's text, beside that of its code. */
const BY_RANGE: Policy = { name: 'lufy-range', beside: null }
const CHANCE: Policy = { name: 'random', beside: '(Random)' }

/** LUFY's Table 3: memories made and kept at the end of each session, and their ratio. */
export const retainedBySession: Reproduction['measure'] = async (asked, context) => {
  const policies = [MEMORY_BANK, LUFY]
  const { scoresOf, measured } = await measurePolicies(asked, context, chosenFrom(policies))
  const rows = [
    { row: 'nothing forgotten', beside: 'Naive RAG', scores: scoresOf(LUFY.name).map(keepAll) },
    ...policies.map(({ name: row, beside }) => ({ row, beside, scores: scoresOf(row) })),
  ]
  return {
    ...measured,
    figures: SESSIONS.flatMap((session) => rows.flatMap((row) => tellKept(row, session))),
  }
}

/** The score without forgetting. */
function keepAll(score: SessionScore): SessionScore {
  return { ...score, kept: score.made }
}

interface Row {
  readonly row: string
  readonly beside: string | null
  readonly scores: readonly SessionScore[]
}

function tellKept({ row, beside, scores }: Row, session: number): HereFigure[] {
  const own = scores.filter((one) => one.session === session)
  const kept = mean(own.map((one) => one.kept))
  const share = mean(own.map((one) => one.kept / one.made))
  const percent = share === null ? null : share * 100
  return [
    counted({ row, beside, column: `S${session} kept`, unit: 'count' }, kept, own.length),
    counted({ row, beside, column: `S${session} share`, unit: 'percent' }, percent, own.length),
  ]
}

/** LUFY's Table 12: the share of kept units that an annotator marked as important; and annotators' agreement. */
export const agreementBySession: Reproduction['measure'] = async (asked, context) => {
  const policies = [MEMORY_BANK, LUFY, BY_RANGE, CHANCE]
  const { talks, tell, measured } = await measurePolicies(asked, context, (signals) => [
    ...chosenFrom(policies)(signals),
    entrantOf({ ...lufy({ scale: 'range' }), name: BY_RANGE.name }, signals),
  ])
  const people = [...Map.groupBy(talks, ({ person }) => person).values()]
  const agreed = people.map((own) => mean(own.flatMap(agreementAmongPeople)))
  return {
    ...measured,
    figures: [...policies.flatMap(tell), average({ name: 'people', beside: '(Annotators)' }, agreed)],
  }
}

/** LUFY's Table 14: the same with a metric less. */
export const agreementWithout: Reproduction['measure'] = async (asked, context) => {
  const ablated = LEFT_OUT.map((metric) => lufy({ without: [metric] }))
  const { tell, measured } = await measurePolicies(asked, context, (signals) =>
    [lufy(), ...ablated].map((policy) => entrantOf(policy, signals)),
  )
  const policies = LEFT_OUT.map((metric) => ({ name: `lufy-${metric}`, beside: `–${metric}` }))
  return { ...measured, figures: [LUFY, ...policies].flatMap(tell) }
}

function entrantOf(policy: ForgettingPolicy, signals: SignalsOf): Entrant {
  return { name: policy.name, settings: [{ ...LUFY_SETTING, policy }], signals, kind: 'policy' }
}

/** Chooses some of the benchmark's policies. */
function chosenFrom(policies: readonly Policy[]) {
  return (signals: SignalsOf): readonly Entrant[] =>
    listEntrants({ signals, heldOut: null, seed: SEED, randomSeeds: CHANCES }).filter(({ name }) =>
      policies.some((one) => one.name === name),
    )
}

/** Runs each policy through the whole engine, keeping a tenth at each session's end. */
async function measurePolicies(
  { path, model, embedding, arousal, surprise, limit }: PaperAsked,
  { say = () => undefined, openModel, openEmbedding }: BenchContext,
  entrantsOf: (signals: SignalsOf) => readonly Entrant[],
) {
  const { talks: all, dataHash } = await loadLufyTalks(path)
  const talks = all.slice(0, limit)
  const models = {
    model: model === undefined ? undefined : await openModel(model),
    embedding: embedding === undefined ? undefined : await openEmbedding(embedding),
    arousal: arousal === undefined ? undefined : openArousalModel(arousal),
    surprise: surprise === undefined ? undefined : openSurpriseModel(surprise),
  }
  const records: PolicyRecord[] = []
  const how = { through: 'engine', keep: KEEP, capacities: [], models } as const
  for (const { name, measure } of policySteps(entrantsOf(measureTalkSignals(talks)), talks, how)) {
    say(name)
    for (const entry of await measure(say))
      if (entry.entry === 'step') records.push(entry.records as PolicyRecord)
  }
  const of = (policy: string) => records.find((one) => one.policy === policy)
  const scoresOf = (policy: string): readonly SessionScore[] => of(policy)?.sessions.flat() ?? []
  const size = new Set(talks.map(({ person }) => person)).size
  const measured: Omit<Measured, 'figures'> = { size, dataHash, reader: null, runs: [], remarks: [] }
  const tell = (policy: Policy) => tellAgreement(policy, scoresOf(policy.name), of(policy.name)?.people ?? [])
  return { talks, scoresOf, tell, measured }
}

/** By session over all talks, and on average over people. */
function tellAgreement(
  policy: Policy,
  scores: readonly SessionScore[],
  people: readonly PersonScore[],
): HereFigure[] {
  const { name: row, beside } = policy
  const bySession = SESSIONS.map((session): HereFigure => {
    const own = scores.filter((one) => one.session === session)
    const agreement = mean(own.map((one) => one.agreement))
    const place = { row, beside, column: `S${session}`, unit: 'percent' } as const
    return counted(place, agreement === null ? null : agreement * 100, own.length)
  })
  return [
    ...bySession,
    average(
      policy,
      people.map(({ agreement }) => agreement),
    ),
  ]
}

function average({ name: row, beside }: Policy, byPerson: readonly (number | null)[]): HereFigure {
  const estimated = estimateMean(byPerson, SEED)
  return hereFigure(
    { row, beside, column: 'Avg.', unit: 'percent' },
    { value: estimated?.value ?? null, interval: estimated, count: byPerson.length, judge: null },
  )
}
