import {
  answeringSentences,
  askingSentences,
  continuingSentences,
  isOnlyAbout,
  mayBePerson,
} from './continue-topic.ts'
import type { Turn } from '../turns/turn.ts'
import type { Forgetting } from './forget-topic.ts'
import { tellsOf, type Topic } from './read-topic.ts'

/** Turns a pronoun is followed for: two rounds, after which talk has usually moved on. */
const LONGEST_CHAIN = 4
/** Maximum number of turns, the latest first, from which pronouns are followed. */
const MOST_CHAINS = 100

/** Finds sentences that continue the topic by a pronoun, in the turns right after a mention, grouped by turn. */
export async function followTopic(
  given: Forgetting,
  about: string,
  topic: Topic,
  telling: readonly Turn[],
): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  const isPerson = mayBePerson(about, topic.hasName)
  const latest = [...telling].sort((one, other) => other.position - one.position).slice(0, MOST_CHAINS)
  for (const turn of latest) {
    const next = await turnsAfter(given, turn)
    const known = [...about.split(/[^\p{L}'-]+/u), ...namesOf([turn, ...next])]
    if (!isOnlyAbout(turn.text, (sentence) => tellsOf(topic, sentence), known)) continue
    let last = turn
    for (const one of next) {
      const sentences = tellsOf(topic, one.text) ? [] : goingOn(one, last, { known, isPerson })
      if (sentences.length === 0) break
      found.set(one.id, sentences)
      last = one
    }
  }
  return found
}

/** Sentences of a turn that go on from the one before it: by a pronoun, by asking about it, or as the answer to that. */
function goingOn(
  turn: Turn,
  last: Turn,
  { known, isPerson }: { readonly known: readonly string[]; readonly isPerson: boolean },
): readonly string[] {
  const sentences = continuingSentences(turn.text, known, isPerson)
  if (sentences.length > 0) return sentences
  if (turn.role === 'agent') return askingSentences(turn.text, known)
  const isAnswer = last.role === 'agent' && askingSentences(last.text, known).length > 0
  return isAnswer ? answeringSentences(turn.text, known) : []
}

/** The turns right after one, of its session and before the request. */
async function turnsAfter({ engine, row, before }: Forgetting, turn: Turn): Promise<Turn[]> {
  const after = await engine.store.listTurns({
    userId: row.owner,
    scopes: [row.scope],
    afterPosition: turn.position,
    limit: LONGEST_CHAIN,
  })
  const end = after.findIndex(
    (one, index) =>
      one.session !== turn.session || one.position !== turn.position + index + 1 || one.position >= before,
  )
  return end < 0 ? after : after.slice(0, end)
}

function namesOf(turns: readonly Turn[]): string[] {
  return turns.flatMap((turn) => (turn.speaker ?? '').split(/\s+/)).filter((name) => name !== '')
}
