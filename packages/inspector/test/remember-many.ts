import type { Keepsake } from 'keepsake'

const TURNS_AT_ONCE = 500
const PLACES = ['Lyon', 'Porto', 'Leeds', 'Graz', 'Turku', 'Sligo', 'Ghent']
const THINGS = ['a kettle', 'two lamps', 'a bicycle', 'some bread', 'a map', 'a coat', 'three letters']

/** Has a person say so many things that each becomes a memory. */
export async function rememberMany(keepsake: Keepsake, user: string, count: number): Promise<void> {
  const memory = keepsake.scope({ user })
  const start = Date.UTC(2026, 0, 1)
  for (let first = 0; first < count; first += TURNS_AT_ONCE) {
    const turns = Array.from({ length: Math.min(TURNS_AT_ONCE, count - first) }, (_, place) => {
      const at = first + place
      const where = PLACES[at % PLACES.length] ?? ''
      const what = THINGS[(at * 3) % THINGS.length] ?? ''
      const length =
        at % 4 === 0 ? ' It took longer than I thought, and it rained all the way back to the house.' : ''
      return {
        role: 'user' as const,
        text: `On day ${at} I bought ${what} in ${where}.${length}`,
        at: new Date(start + at * 60_000),
      }
    })
    await memory.remember(turns, { session: `session-${first}` })
    await memory.endSession(`session-${first}`)
    await memory.drain()
  }
}
