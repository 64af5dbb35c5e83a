/**
 * Where the weights of the stand-in for LUFY's L come from: which turns of LoCoMo do questions of categories 1 to 4
 * name as evidence, told from the three features of packages/keepsake/src/importance/stand-in-importance.ts? Prints
 * the weights, and the ones without each conversation, as multiples of the first. Nothing is written: the
 * package holds the rounded ratio.
 *
 *   node tools/data/src/fit-stand-in-importance.ts LOCOMO.json
 */
import { readFileSync } from 'node:fs'
import { Matrix, solve } from 'ml-matrix'
import { readImportanceFeatures } from '../../../packages/keepsake/src/importance/stand-in-importance.ts'

const FEATURES = ['√information', 'specifics', 'first person'] as const
/** The same cap as the stand-in's. */
const MOST_COUNTED = 4
/** A hundredth of what the features themselves weigh: enough that two that go together share their weight. */
const RIDGE = 0.01

interface Example {
  readonly conversation: number
  readonly session: string
  readonly features: readonly number[]
  readonly asked: number
}

interface LocomoTurn {
  readonly dia_id: string
  readonly text: string
}

interface LocomoConversation {
  readonly conversation: Readonly<Record<string, unknown>>
  readonly qa: readonly { readonly category: number; readonly evidence?: readonly unknown[] }[]
}

function readExamples(file: string): Example[] {
  // LoCoMo's published form; a file of another form fails below on the first missing field.
  const conversations = JSON.parse(readFileSync(file, 'utf8')) as readonly LocomoConversation[]
  return conversations.flatMap(({ conversation, qa }, index) => {
    const asked = new Set(
      qa
        .filter(({ category }) => category !== 5)
        .flatMap(({ evidence = [] }) => evidence.flatMap((one) => String(one).match(/D\d+:\d+/g) ?? [])),
    )
    return Object.entries(conversation)
      .filter(([key, turns]) => /^session_\d+$/.test(key) && Array.isArray(turns))
      .flatMap(([session, turns]) =>
        (turns as readonly LocomoTurn[]).map(({ dia_id, text }) => ({
          conversation: index,
          session: `${index}/${session}`,
          features: featuresOf(text),
          asked: asked.has(dia_id) ? 1 : 0,
        })),
      )
  })
}

function featuresOf(text: string): number[] {
  const { information, specifics, firstPerson } = readImportanceFeatures(text)
  return [Math.sqrt(information), Math.min(MOST_COUNTED, specifics), Math.min(MOST_COUNTED, firstPerson)]
}

/** Weights of the features, each session centred: what tells a turn from the others of its session. */
function fitWeights(examples: readonly Example[]): number[] {
  const centred: { features: number[]; asked: number }[] = []
  for (const session of Map.groupBy(examples, (example) => example.session).values()) {
    const meanOf = (of: (example: Example) => number): number =>
      session.reduce((sum, example) => sum + of(example), 0) / session.length
    const middle = FEATURES.map((_, i) => meanOf((example) => example.features[i] ?? 0))
    const share = meanOf((example) => example.asked)
    const spread = Math.sqrt(share * (1 - share)) || 1
    for (const { features, asked } of session) {
      centred.push({
        features: features.map((value, i) => value - (middle[i] ?? 0)),
        asked: (asked - share) / spread,
      })
    }
  }
  const spreads = FEATURES.map((_, i) =>
    Math.sqrt(centred.reduce((sum, { features }) => sum + (features[i] ?? 0) ** 2, 0) / centred.length),
  )
  const x = new Matrix(centred.map(({ features }) => features.map((value, i) => value / (spreads[i] ?? 1))))
  const y = Matrix.columnVector(centred.map(({ asked }) => asked))
  const penalty = Matrix.eye(FEATURES.length).mul(RIDGE * centred.length)
  const weights = solve(x.transpose().mmul(x).add(penalty), x.transpose().mmul(y)).to1DArray()
  return weights.map((weight, i) => weight / (spreads[i] ?? 1))
}

function tell(label: string, weights: readonly number[]): void {
  const [first = 1] = weights
  const parts = FEATURES.map((feature, i) => `${feature} ${((weights[i] ?? 0) / first).toFixed(2)}`)
  console.log(`${label}: ${parts.join(', ')}`)
}

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Name the LoCoMo file: node tools/data/src/fit-stand-in-importance.ts LOCOMO.json')
  process.exitCode = 2
} else {
  const examples = readExamples(file)
  console.log(`${examples.length} turns, ${examples.filter(({ asked }) => asked === 1).length} asked about`)
  tell('all', fitWeights(examples))
  for (const conversation of new Set(examples.map((example) => example.conversation))) {
    const others = examples.filter((example) => example.conversation !== conversation)
    tell(`without conversation ${conversation + 1}`, fitWeights(others))
  }
}
