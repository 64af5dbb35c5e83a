import { seededRandom } from '../metrics/seeded-random.ts'

/** A user's turn with the agent's reply. */
export interface PeerRound {
  /** Counted from 0. */
  readonly index: number
  /** The user's words, one sentence for each fact. */
  readonly user: string
  readonly agent: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** The round's facts with their quotes. All facts of a talk are different. */
  readonly facts: readonly PeerFact[]
}

export interface PeerFact {
  readonly text: string
  readonly quote: string
  readonly person: string
}

export const FACTS_PER_ROUND = 3
const START = Date.UTC(2026, 0, 1, 18)
const MINUTE = 60_000
const DAY = 86_400_000
/** The number of rounds in a day. The next round is a day later, so that the session ends by itself. */
const ROUNDS_PER_SESSION = 20

const VERBS = 'bought repaired painted borrowed sold carried found lost'.split(' ')
const QUALITIES =
  'red blue old small heavy wooden broken cheap round tall striped rusty soft bright narrow loud empty green folding leather yellow painted plain dusty thick square golden silent woollen marble'.split(
    ' ',
  )
const THINGS =
  'bicycle lamp table kettle guitar ladder suitcase mirror blanket clock piano tent drum bench camera radio basket carpet vase saddle kite anchor statue desk barrel bell bucket canoe cradle fiddle hammock lantern mattress oar pillow quilt rocket scarf trumpet umbrella'.split(
    ' ',
  )
const STARTS = 'Ba De Fi Go Ha Ke Li Mo Nu Pa Re Si To Vu Za'.split(' ')
const ENDS = 'bor dan fel gus hild kin lor mund nar pert rik sten tova vin'.split(' ')
const PEOPLE = STARTS.flatMap((start) => ENDS.map((end) => start + end))
const COMBINATIONS = VERBS.length * QUALITIES.length * THINGS.length * PEOPLE.length
/** A prime that does not divide the length of any list. Steps of this size reach all combinations before one repeats. */
const STRIDE = 1_299_709

/** Makes rounds of three facts each: "I bought a red bicycle with Baborn". The same seed gives the same rounds. */
export function peerTalk(seed: number): (index: number) => PeerRound {
  const offset = Math.floor(seededRandom(seed)() * COMBINATIONS)
  return (index) => {
    const facts = Array.from({ length: FACTS_PER_ROUND }, (_, place) =>
      factOfNumber(offset, index * FACTS_PER_ROUND + place),
    )
    const session = Math.floor(index / ROUNDS_PER_SESSION)
    return {
      index,
      user: facts.map(({ quote }) => quote).join(' '),
      agent: 'I see. Thank you for telling me.',
      at: START + session * DAY + (index % ROUNDS_PER_SESSION) * MINUTE,
      facts,
    }
  }
}

function factOfNumber(offset: number, number: number): PeerFact {
  if (number >= COMBINATIONS) throw new RangeError(`A generated talk has no more than ${COMBINATIONS} facts.`)
  let rest = (offset + number * STRIDE) % COMBINATIONS
  const pick = (words: readonly string[]): string => {
    const word = words[rest % words.length] ?? ''
    rest = Math.floor(rest / words.length)
    return word
  }
  const person = pick(PEOPLE)
  const statement = `${pick(VERBS)} a ${pick(QUALITIES)} ${pick(THINGS)} with ${person}`
  return { text: `The user ${statement}.`, quote: `I ${statement}.`, person }
}

/** Lists some rounds of a talk. */
export function roundsFrom(round: (index: number) => PeerRound, from: number, count: number): PeerRound[] {
  return Array.from({ length: count }, (_, place) => round(from + place))
}

/** Makes a source of questions about the first rounds. They are the same for the same seed. */
export function peerQuestions(seed: number, rounds: number): () => string {
  const round = peerTalk(seed)
  const random = seededRandom(seed + 11)
  return () => {
    const { facts } = round(Math.floor(random() * rounds))
    const [fact] = facts
    const thing = /a (\S+ \S+) with/.exec(fact?.text ?? '')?.[1] ?? ''
    return `What did the user do with the ${thing} and ${fact?.person ?? ''}?`
  }
}
