/**
 * Fits the weights of packages/keepsake/src/retrieval/measure-confidence.ts: a logistic regression on questions that a memory answers and on
 * questions that it does not answer. The latter are of three kinds:
 * - plausible questions about the talk that nothing in it answers (everyday talk, LoCoMo's category 5, also with one speaker as the agent);
 * - questions about another person's talk;
 * - questions about the talk, put to 5 to 20 of its turns that lack the answer.
 * There are few weights, so that they are also right for other talk.
 *
 *   node tools/data/src/fit-confidence.ts --everyday DIR… --locomo FILE --lufy DIR --memorybank DIR
 *
 * Prints the weights. Then prints for each set how well a fit without a person, or without a folder of everyday talk, predicts the omitted
 * examples: AUROC, and the share of answered and of unanswered questions that it calls known. It writes no file, since the engine's source
 * has the rounded weights.
 */
import { parseArgs } from 'node:util'
import type { BenchConversation } from '../../../packages/bench/src/datasets/conversation.ts'
import { openDataset, type DatasetName } from '../../../packages/bench/src/datasets/open-dataset.ts'
import { auroc } from '../../../packages/bench/src/metrics/auroc.ts'
import {
  CONFIDENCE_WEIGHTS,
  KNOWN_FROM,
  measureConfidence,
} from '../../../packages/keepsake/src/retrieval/measure-confidence.ts'
import { foreignExamples, ownExamples, shortExamples, type ConfidenceExample } from './confidence-examples.ts'
import { chanceOf, fitLogistic, type WeightedExample } from './fit-logistic.ts'

/** Weights of examples by the beginning of the set's name. Questions about another person's talk weigh least, since they are many and easy. */
const SET_WEIGHTS: readonly (readonly [start: string, weight: number])[] = [
  ['everyday, foreign', 0.02],
  ['everyday, short', 0.1],
  ['everyday', 1],
  ['locomo, agent', 0.1],
  ['locomo', 0.3],
  ['', 0.01],
]

const names = Object.keys(CONFIDENCE_WEIGHTS) as (keyof typeof CONFIDENCE_WEIGHTS)[]

const { values } = parseArgs({
  options: {
    everyday: { type: 'string', multiple: true },
    locomo: { type: 'string' },
    lufy: { type: 'string' },
    memorybank: { type: 'string' },
  },
})

async function read(name: DatasetName, path: string | undefined): Promise<BenchConversation[]> {
  return path === undefined ? [] : Array.fromAsync((await openDataset(name, path)).conversations())
}

/** Returns examples of everyday talk. The folder takes the place of the person, so that its talks are omitted together. */
async function everydayExamples(folders: readonly string[]): Promise<ConfidenceExample[]> {
  const byFolder = await Promise.all(folders.map((folder) => read('everyday', folder)))
  const isChinese = ({ questions }: BenchConversation): boolean =>
    /\p{Script=Han}/u.test(questions[0]?.text ?? '')
  const examplesOf = (talk: BenchConversation): ConfidenceExample[] => {
    const language = isChinese(talk) ? 'zh' : 'en'
    const others = byFolder.flat().filter((other) => isChinese(other) === isChinese(talk))
    return [
      ...ownExamples(talk, `everyday ${language}`),
      ...foreignExamples(talk, others, `everyday, foreign ${language}`),
      ...shortExamples(talk, `everyday, short ${language}`),
    ]
  }
  return byFolder.flatMap((talks, place) =>
    talks.flatMap(examplesOf).map((example) => ({ ...example, person: folders[place] ?? '' })),
  )
}

function locomoExamples(talks: readonly BenchConversation[]): ConfidenceExample[] {
  return talks.flatMap((talk) => [
    ...ownExamples(talk, 'locomo'),
    ...[0, 1].flatMap((agent) => ownExamples(withAgent(talk, agent), 'locomo, agent')),
  ])
}

/** Converts a talk of two people to one with an agent: speaker 0 or 1 becomes the agent. */
function withAgent(talk: BenchConversation, agent: number): BenchConversation {
  const speakers = [...new Set(talk.sessions.flatMap(({ turns }) => turns.map(({ speaker }) => speaker)))]
  const sessions = talk.sessions.map((session) => ({
    ...session,
    turns: session.turns.map((turn) => ({
      ...turn,
      role: turn.speaker === speakers[agent] ? ('assistant' as const) : ('user' as const),
    })),
  }))
  return { ...talk, sessions, user: speakers[1 - agent] ?? talk.user }
}

function otherExamples(name: string, talks: readonly BenchConversation[]): ConfidenceExample[] {
  return talks.flatMap((talk) => [...ownExamples(talk, name), ...foreignExamples(talk, talks, name)])
}

function weighted(example: ConfidenceExample): WeightedExample {
  const { set, isKnown } = example
  const weight = SET_WEIGHTS.find(([start]) => set.startsWith(start))?.[1] ?? 0
  return { features: featuresOf(example), isPositive: isKnown, weight }
}

/** Returns the confidence for each example, computed by a fit without the examples of the same person. */
function withoutEachPerson(examples: readonly ConfidenceExample[]): Map<ConfidenceExample, number> {
  const confidences = new Map<ConfidenceExample, number>()
  for (const person of new Set(examples.map((example) => example.person))) {
    const fit = fitLogistic(examples.filter((one) => one.person !== person).map(weighted))
    for (const example of examples.filter((one) => one.person === person))
      confidences.set(example, chanceOf(fit, featuresOf(example)))
  }
  return confidences
}

function featuresOf({ traits }: ConfidenceExample): number[] {
  return names.map((name) => traits[name])
}

function report(
  examples: readonly ConfidenceExample[],
  confidences: ReadonlyMap<ConfidenceExample, number>,
): void {
  for (const [set, all] of Map.groupBy(examples, (example) => example.set)) {
    const of = (isKnown: boolean): number[] =>
      all.filter((one) => one.isKnown === isKnown).map((one) => confidences.get(one) ?? 0)
    const [said, never] = [of(true), of(false)]
    const above = (these: readonly number[]): string =>
      these.length === 0 ? '–' : (these.filter((one) => one >= KNOWN_FROM).length / these.length).toFixed(2)
    const counts = `${said.length} said, ${never.length} not`
    console.log(
      `${set.padEnd(24)} ${counts.padEnd(20)} auroc ${Number.isNaN(auroc(said, never)) ? '–' : auroc(said, never).toFixed(3)} known ${above(said)} / ${above(never)}`,
    )
  }
}

const examples = [
  ...(await everydayExamples(values.everyday ?? [])),
  ...locomoExamples(await read('locomo', values.locomo)),
  ...otherExamples('lufy', await read('lufy', values.lufy)),
  ...otherExamples('memorybank en', await read('memorybank-en', values.memorybank)),
  ...otherExamples('memorybank zh', await read('memorybank-cn', values.memorybank)),
]
const whole = fitLogistic(examples.map(weighted))
console.log(names.map((name, place) => `${name}: ${whole.weights[place]?.toFixed(2)}`).join(', '))
console.log(`bias: ${whole.bias.toFixed(2)}\n\nfitted without the person:`)
report(examples, withoutEachPerson(examples))
console.log('\nas shipped:')
report(examples, new Map(examples.map((example) => [example, measureConfidence(example.traits)])))
