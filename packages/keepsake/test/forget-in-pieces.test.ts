import { expect, it, vi } from 'vitest'
import { openForTest } from './open-for-test.ts'

const PLACES = ['bakery', 'garden', 'office', 'library'] as const
const TURNS = 320
/** Texts that may be read between two turns of the event loop, beside the search that finds the nearest. */
const MOST_TEXTS = 60

const lower = Object.getOwnPropertyDescriptor(String.prototype, 'toLowerCase')?.value as () => string

/** The most texts of turns that work read at a stretch: each reading of a text takes it in lower case. */
async function readAtAStretch(work: () => Promise<unknown>): Promise<number> {
  // Every look at the clock finds some milliseconds gone, as on a machine that is slow.
  let clock = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += 10))
  let [stretch, most, isOver] = [0, 0, false]
  vi.spyOn(String.prototype, 'toLowerCase').mockImplementation(function count(this: string) {
    if (this.length > 40) stretch += 1
    return lower.call(this)
  })
  const turn = (): void => {
    most = Math.max(most, stretch)
    stretch = 0
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  return Math.max(most, stretch)
}

it('a topic is forgotten in pieces, between which others go first', async () => {
  const keepsake = await openForTest()
  const user = keepsake.scope({ user: 'u' })
  const text = (at: number): string =>
    `On day ${at} I went to the ${PLACES[at % 4]} with my cousin Tom and it was quite nice. He came late.`
  await user.remember(Array.from({ length: TURNS }, (_, at) => ({ role: 'user' as const, text: text(at) })))
  await keepsake.drain()
  const found: number[] = []
  const dryRun = async (topic: string): Promise<number> =>
    readAtAStretch(async () => {
      const { memories, unsure } = await user.forgetAbout(topic, { dryRun: true })
      found.push(memories.length + unsure.length)
    })
  for (const topic of ['the bakery', 'my cousin', 'Tom', 'the money I owe Tom', 'the quiet library garden'])
    expect.soft(await dryRun(topic), topic).toBeLessThan(MOST_TEXTS)
  expect(Math.max(...found)).toBeGreaterThan(TURNS / 8)
})
