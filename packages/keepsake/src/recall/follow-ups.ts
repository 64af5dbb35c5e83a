import { asksChange, wordsOfChange } from '@keepsake/text'
import { withPart } from '../retrieval/score.ts'
import type { Asking } from './asked-question.ts'
import type { FoundMemory } from './found-memory.ts'
import { rankMemories } from './rank-memories.ts'
import { readInPart } from './read-in-part.ts'

/** What the search found first stands ahead of what it leads to. */
const AHEAD = 3
/** What comes nearest to the first that was found: told after it, in turn with whatever else was found. */
const MOST = 6
/** Characters of the first that are searched for: a turn may have a hundred thousand. */
const MOST_FOLLOWED = 8_000
/** A first person at the head: what follows is sought in the user's words, whoever said what it follows from. */
const BY_THE_USER = 'I: '

/**
 * The same memories, and between them what is nearest to the first of them and was said in another talk. A question that asks how
 * something was and how it is, or what came of advice, has two answers, and only one of them is put in its words: the other speaks
 * of the same thing.
 *
 * @param memories best first
 */
export async function withFollowUps(
  asking: Asking,
  memories: readonly FoundMemory[],
): Promise<readonly FoundMemory[]> {
  const [first] = memories
  // A model that reads what was found judges each by the question, and is asked once.
  if (first === undefined || asking.engine.reranking !== null) return memories
  const change = asksChange(asking.asked.text) ? wordsOfChange(asking.asked.text) : null
  const text = change ?? readInPart(await wordsOf(asking, first), MOST_FOLLOWED)
  const near = await rankMemories({ ...asking, asked: { ...asking.asked, text: BY_THE_USER + text } })
  const ahead = new Set(memories.slice(0, AHEAD).map(({ memory }) => memory.id))
  const led = near.memories
    .filter(
      ({ memory }) => !ahead.has(memory.id) && (change !== null || memory.session !== first.memory.session),
    )
    .slice(0, MOST)
  return inTurn(memories, led)
}

async function wordsOf({ turns }: Asking, { memory }: FoundMemory): Promise<string> {
  const [told] = await turns.withTexts([memory])
  return told?.text ?? memory.text
}

/** The first few, then one of what they led to after one of the rest. Scores fall evenly where the order changes. */
function inTurn(memories: readonly FoundMemory[], led: readonly FoundMemory[]): FoundMemory[] {
  const isLed = new Set(led.map(({ memory }) => memory.id))
  const rest = memories.slice(AHEAD).filter(({ memory }) => !isLed.has(memory.id))
  const mixed = led.flatMap((one, place) => [one, ...rest.slice(place, place + 1)])
  const last = memories.at(AHEAD - 1)?.score ?? 0
  const least = rest[led.length]?.score ?? memories.at(-1)?.score ?? 0
  const step = Math.max(0, last - least) / (mixed.length + 1)
  const placed = mixed.map((one, place) => withPart(one, 'leads', last - step * (place + 1) - one.score))
  return [...memories.slice(0, AHEAD), ...placed, ...rest.slice(led.length)]
}
