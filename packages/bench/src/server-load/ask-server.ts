import { Client } from 'undici'
import { answerFurther, answerParent, Child, isChild } from '../processes/child.ts'
import type { LoadCall } from './draw-calls.ts'
import { userOf, type LoadPlan } from './load-plan.ts'
import { processUsage } from '../processes/process-usage.ts'
import { runLoad, touchScopes, type Ask, type LoadRecord } from './run-load.ts'

export interface AskRequest {
  readonly url: string
  readonly key: string
  readonly plan: LoadPlan
}

export interface Asked {
  readonly record: LoadRecord
  /** Processors that the asking itself kept busy. */
  readonly askerCpus: number
}

/** Of so many answers one is read and looked at; the others by their status alone, which asks less of the asker. */
const LOOK_AT_EVERY = 50

/** Whoever asks a server, in a process of its own: once it is made, every connection is open and people are in memory. */
export class Asker {
  readonly #child: Child

  private constructor(child: Child) {
    this.#child = child
  }

  /** Starts one, and has it touch people beforehand: what that costs the server is no part of a run. */
  static async start(request: AskRequest): Promise<Asker> {
    const child = new Child(ASK_SERVER, request)
    await child.started
    return new Asker(child)
  }

  /** Asks as its plan says, then ends. */
  async run(): Promise<Asked> {
    const asked = (await this.#child.ask('run')) as Asked
    await this.#child.release()
    return asked
  }
}

/** Asks a server over connections that stay open, each with one request at a time. */
async function askServer({ url, key, plan }: AskRequest): Promise<null> {
  const clients = Array.from({ length: plan.connections }, () => new Client(url))
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  let answered = 0
  let asked = 0
  const ask: Ask = async (scope, call) => {
    asked += 1
    const client = clients[(plan.pooled ? asked : scope) % plan.connections]
    if (client === undefined) throw new Error('there is no connection')
    const { path, body, status } = requestOf(scope, call, plan)
    const response = await client.request({ method: 'POST', path, headers, body })
    const text = await response.body.text()
    if (response.statusCode !== status) throw new Error(`answered with ${response.statusCode}`)
    answered += 1
    if (answered % LOOK_AT_EVERY === 0) lookAt(call, JSON.parse(text) as Answer)
  }
  await touchScopes(ask, plan)
  answerFurther(async () => {
    const before = processUsage()
    const record = await runLoad(ask, plan)
    const cpuMs = processUsage().cpuMs - before.cpuMs
    await Promise.all(clients.map((client) => client.close()))
    return { record, askerCpus: cpuMs / (record.figures['ran_ms'] ?? Number.NaN) }
  })
  return null
}

function requestOf(
  scope: number,
  call: LoadCall,
  { reinforce }: LoadPlan,
): { path: string; body: string; status: number } {
  const path = `/v1/scopes/${userOf(scope)}`
  if (call.kind === 'remember')
    return {
      path: `${path}/turns`,
      body: JSON.stringify({ turns: [{ role: 'user', text: call.text }] }),
      status: 201,
    }
  // Left out where it is as the preset says, as callers leave it out.
  const body = JSON.stringify({ question: call.question, ...(reinforce ? {} : { reinforce: false }) })
  return { path: `${path}/recall`, body, status: 200 }
}

interface Answer {
  readonly question?: string
  readonly memories?: readonly unknown[]
  readonly added?: number
}

function lookAt(call: LoadCall, answer: Answer): void {
  if (call.kind === 'remember' && answer.added !== 1) throw new Error('said that it added no turn')
  if (call.kind === 'recall' && answer.question !== call.question)
    throw new Error('answered another question')
  if (call.kind === 'recall' && answer.memories?.length === 0) throw new Error('recalled nothing')
}

const ASK_SERVER = import.meta.url

if (isChild(import.meta.url)) await answerParent(askServer)
