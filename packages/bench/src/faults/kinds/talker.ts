import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { openMemory } from 'keepsake'
import { seededDraw, type Draw } from '../../metrics/seeded-draw.ts'
import { answerParent, isChild } from '../../processes/child.ts'
import { Promised } from '../promised.ts'

export interface TalkRequest {
  readonly path: string
  /** Where each acknowledged turn is noted, a line of JSON each. */
  readonly notes: string
  readonly name: string
  readonly users: readonly string[]
  readonly rounds: number
  readonly seed: number
}

const PLACES = ['Porto', 'Lyon', 'Graz', 'Bergen', 'Leuven', 'Turku'] as const
const PETS = ['a parrot', 'two cats', 'a tortoise', 'an old dog', 'four hives of bees'] as const

/** Something that a person may say, in words of its own. */
export function sayingOf(draw: Draw, mark: string): string {
  return `Note ${mark}: I live in ${draw.pick(PLACES)} and keep ${draw.pick(PETS)}.`
}

/** Talks to a memory, ends sessions, has things read and forgotten, until it is through or killed. */
async function talk({ path, notes, name, users, rounds, seed }: TalkRequest): Promise<number> {
  const draw = seededDraw(seed)
  const keepsake = await openMemory({ path, busyTimeoutMs: 30_000 })
  for (let round = 0; round < rounds; round += 1) {
    const user = draw.pick(users)
    const scope = keepsake.scope({ user })
    const text = sayingOf(draw, `${name} ${round}`)
    const answer = `I see, ${name} ${round}.`
    const session = `${name}-${Math.floor(round / 5)}`
    await scope.remember(
      [
        { role: 'user', text },
        { role: 'agent', text: answer },
      ],
      { session },
    )
    for (const one of [text, answer]) appendFileSync(notes, `${JSON.stringify([user, one])}\n`)
    if (draw.chance(0.2)) await scope.endSession(session)
    if (draw.chance(0.3)) await scope.recall('Where do I live?')
    if (draw.chance(0.3)) await scope.drain()
  }
  await keepsake.close()
  return rounds
}

/** What was noted as acknowledged; a line that a kill cut off was not. */
export function readNotes(notes: string): Promised {
  const promised = new Promised()
  if (!existsSync(notes)) return promised
  for (const line of readFileSync(notes, 'utf8').split('\n').slice(0, -1)) {
    const [user, text] = JSON.parse(line) as [string, string]
    promised.keep(user, text)
  }
  return promised
}

/** This module, for whoever starts it as a process. */
export const TALKER = import.meta.url

if (isChild(import.meta.url)) await answerParent(talk)
