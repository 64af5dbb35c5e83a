import { expect, it } from 'vitest'
import type { BenchConversation } from './conversation.ts'
import { withAgent } from './with-agent.ts'

const turn = (id: string, speaker: string) =>
  ({ id, role: 'user', speaker, text: 'Hello.', at: 0, zone: 'UTC' }) as const

const talk: BenchConversation = {
  name: 'talk',
  person: 'talk',
  user: 'talk',
  sessions: [{ id: 's1', turns: [turn('t1', 'Nadia'), turn('t2', 'Tom'), turn('t3', 'Nadia')] }],
  questions: [],
  unitOf: new Map(),
  sessionOf: new Map(),
}

const roles = ({ sessions }: BenchConversation) =>
  sessions.flatMap(({ turns }) => turns.map(({ role }) => role))

it("takes one of two speakers for the agent, and makes the memory the other's", () => {
  expect(withAgent(talk, 'first').user).toBe('Tom')
  expect(roles(withAgent(talk, 'first'))).toEqual(['assistant', 'user', 'assistant'])
  expect(withAgent(talk, 'second').user).toBe('Nadia')
  expect(roles(withAgent(talk, 'second'))).toEqual(['user', 'assistant', 'user'])
})
