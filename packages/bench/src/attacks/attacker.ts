import { constants, setPriority } from 'node:os'
import { answerParent, isChild } from '../processes/child.ts'
import { seededDraw } from '../metrics/seeded-draw.ts'
import { ATTACKS } from './all-attacks.ts'
import type { Assault } from './attack.ts'

export interface AttackRequest {
  readonly name: string
  readonly url: string
  readonly key: string
  readonly seconds: number
  readonly seed: number
}

/** How often it was answered in which way: `2xx`, `429`, `413`, …, `none` where a connection broke off. */
export type Answers = Readonly<Record<string, number>>

async function attack({ name, url, key, seconds, seed }: AttackRequest): Promise<Answers> {
  const known = ATTACKS.find((one) => one.name === name)
  if (known === undefined) throw new Error(`There is no attack "${name}".`)
  // An attacker has a machine of its own: what making its requests costs here is no part of what is measured.
  setPriority(constants.priority.PRIORITY_LOW)
  const answers: Record<string, number> = {}
  const headers = { Authorization: `Bearer ${key}` }
  const assault: Assault = {
    url,
    headers,
    draw: seededDraw(seed),
    until: performance.now() + seconds * 1_000,
    async send(method, path, body) {
      const asked = await ask(method, url + path, headers, body)
      const how = asked === null ? 'none' : asked.ok ? '2xx' : String(asked.status)
      answers[how] = (answers[how] ?? 0) + 1
      return asked
    },
  }
  await known.run(assault)
  return answers
}

async function ask(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<Response | null> {
  try {
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
    const type = url.endsWith('/import') ? 'application/x-ndjson' : 'application/json'
    const response = await fetch(url, { method, headers: { ...headers, 'Content-Type': type }, body: sent })
    const bytes = await response.arrayBuffer()
    return new Response(response.status === 204 ? null : bytes, response)
  } catch {
    // Cut off: told as no answer.
    return null
  }
}

/** This module, for whoever starts it as a process. */
export const ATTACKER = import.meta.url

if (isChild(import.meta.url)) await answerParent(attack)
