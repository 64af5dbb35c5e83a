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
import type { MeasuredFigure, ItemResult, PaperRequest, Reproduction } from '../registry/paper.ts'
import { makeFigure, scaleFigure } from './measured-figure.ts'

const SESSIONS = [1, 2, 3, 4] as const
/** The share of memories that stay at the end of a session (LUFY, section 4.2). */
const KEPT_SHARE = 0.1
const SEED = 1
/** The number of random policies whose mean is the row of chance. */
const RANDOM_SEEDS = 20
/** The metrics that LUFY's Tables 13 and 14 leave out one by one. */
const LEFT_OUT = ['A', 'P', 'L', 'R1', 'R2'] as const satisfies readonly LufyMetric[]

/** A policy of the benchmark `forgetting`, and its row in the paper. */
interface Policy {
  readonly name: string
  readonly paperRow: string | null
}

const LUFY: Policy = { name: 'lufy', paperRow: 'LUFY' }
const MEMORY_BANK: Policy = { name: 'ebbinghaus', paperRow: 'MemoryBank' }
/** LUFY with the scale of the paper's text, which differs from that of its published code. */
const BY_RANGE: Policy = { name: 'lufy-range', paperRow: null }
const CHANCE: Policy = { name: 'random', paperRow: '(Random)' }

/** Measures LUFY's Table 3: the memories kept at the end of each session, and their share of all that were made. */
export const retainedBySession: Reproduction['measure'] = async (request, context) => {
  const policies = [MEMORY_BANK, LUFY]
  const { scoresOf, measured } = await measurePolicies(request, context, entrantsOfPolicies(policies))
  const rows = [
    { row: 'nothing forgotten', paperRow: 'Naive RAG', scores: scoresOf(LUFY.name).map(keepAll) },
    ...policies.map(({ name: row, paperRow }) => ({ row, paperRow, scores: scoresOf(row) })),
  ]
  return {
    ...measured,
    figures: SESSIONS.flatMap((session) => rows.flatMap((row) => retentionFigures(row, session))),
  }
}

/** The score of a policy that forgets nothing. */
function keepAll(score: SessionScore): SessionScore {
  return { ...score, kept: score.made }
}

interface Row {
  readonly row: string
  readonly paperRow: string | null
  readonly scores: readonly SessionScore[]
}

function retentionFigures({ row, paperRow, scores }: Row, session: number): MeasuredFigure[] {
  const atSession = scores.filter((score) => score.session === session)
  const kept = mean(atSession.map((score) => score.kept))
  const share = mean(atSession.map((score) => score.kept / score.made))
  const percent = share === null ? null : share * 100
  return [
    makeFigure({ row, paperRow, column: `S${session} kept`, unit: 'count' }, kept, atSession.length),
    makeFigure({ row, paperRow, column: `S${session} share`, unit: 'percent' }, percent, atSession.length),
  ]
}

/** Measures LUFY's Table 12: the share of kept units that an annotator marked as important, and how far annotators agree. */
export const agreementBySession: Reproduction['measure'] = async (request, context) => {
  const policies = [MEMORY_BANK, LUFY, BY_RANGE, CHANCE]
  const { talks, figuresOf, measured } = await measurePolicies(request, context, (signals) => [
    ...entrantsOfPolicies(policies)(signals),
    entrantOf({ ...lufy({ scale: 'range' }), name: BY_RANGE.name }, signals),
  ])
  const people = [...Map.groupBy(talks, ({ person }) => person).values()]
  const agreements = people.map((talksOfPerson) => mean(talksOfPerson.flatMap(agreementAmongPeople)))
  const ofAnnotators = averageFigure({ name: 'people', paperRow: '(Annotators)' }, agreements)
  return { ...measured, figures: [...policies.flatMap(figuresOf), ofAnnotators] }
}

/** Measures LUFY's Table 14: the same without one of the metrics by which LUFY forgets. */
export const agreementWithout: Reproduction['measure'] = async (request, context) => {
  const ablated = LEFT_OUT.map((metric) => lufy({ without: [metric] }))
  const { figuresOf, measured } = await measurePolicies(request, context, (signals) =>
    [lufy(), ...ablated].map((policy) => entrantOf(policy, signals)),
  )
  const policies = LEFT_OUT.map((metric) => ({ name: `lufy-${metric}`, paperRow: `–${metric}` }))
  return { ...measured, figures: [LUFY, ...policies].flatMap(figuresOf) }
}

function entrantOf(policy: ForgettingPolicy, signals: SignalsOf): Entrant {
  return { name: policy.name, settings: [{ ...LUFY_SETTING, policy }], signals, kind: 'policy' }
}

/** Returns a function that chooses policies of the benchmark `forgetting` by their names. */
function entrantsOfPolicies(policies: readonly Policy[]) {
  return (signals: SignalsOf): readonly Entrant[] =>
    listEntrants({ signals, heldOut: null, seed: SEED, randomSeeds: RANDOM_SEEDS }).filter(({ name }) =>
      policies.some((policy) => policy.name === name),
    )
}

/** Runs each policy in the engine. At the end of each session a tenth of the memories stay. */
async function measurePolicies(
  { path, model, embedding, arousal, surprise, limit }: PaperRequest,
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
  const entrants = entrantsOf(measureTalkSignals(talks))
  for (const { name, measure } of policySteps(entrants, talks, { keep: KEPT_SHARE, models })) {
    say(name)
    for (const entry of await measure(say))
      if (entry.entry === 'step') records.push(entry.records as PolicyRecord)
  }
  const recordOf = (policy: string) => records.find((record) => record.policy === policy)
  const scoresOf = (policy: string): readonly SessionScore[] => recordOf(policy)?.sessions.flat() ?? []
  const size = new Set(talks.map(({ person }) => person)).size
  const measured: Omit<ItemResult, 'figures'> = { size, dataHash, reader: null, runs: [], remarks: [] }
  const figuresOf = (policy: Policy) =>
    agreementFigures(policy, scoresOf(policy.name), recordOf(policy.name)?.people ?? [])
  return { talks, scoresOf, figuresOf, measured }
}

/** The agreement with annotators by session over all talks, and its average over people. */
function agreementFigures(
  policy: Policy,
  scores: readonly SessionScore[],
  people: readonly PersonScore[],
): MeasuredFigure[] {
  const { name: row, paperRow } = policy
  const bySession = SESSIONS.map((session): MeasuredFigure => {
    const atSession = scores.filter((score) => score.session === session)
    const agreement = mean(atSession.map((score) => score.agreement))
    const place = { row, paperRow, column: `S${session}`, unit: 'percent' } as const
    return makeFigure(place, agreement === null ? null : agreement * 100, atSession.length)
  })
  const agreements = people.map(({ agreement }) => agreement)
  return [...bySession, averageFigure(policy, agreements)]
}

function averageFigure(
  { name: row, paperRow }: Policy,
  byPerson: readonly (number | null)[],
): MeasuredFigure {
  const estimated = estimateMean(byPerson, SEED)
  return scaleFigure(
    { row, paperRow, column: 'Avg.', unit: 'percent' },
    { value: estimated?.value ?? null, interval: estimated, count: byPerson.length, judge: null },
  )
}
