import type { BenchConversation, OpenedDataset } from './conversation.ts'

/** Which of two speakers becomes the agent: the one who speaks first, or the other. */
export const AGENT_SPEAKERS = ['first', 'second'] as const
export type AgentSpeaker = (typeof AGENT_SPEAKERS)[number]

/** Converts a talk of two people to one with an agent: one speaker's turns become the agent's, the other becomes the user. */
export function withAgent(conversation: BenchConversation, agent: AgentSpeaker): BenchConversation {
  const turns = conversation.sessions.flatMap((session) => session.turns)
  const [first, second] = [...new Set(turns.map(({ speaker }) => speaker))]
  const [agentName, userName] = agent === 'first' ? [first, second] : [second, first]
  const sessions = conversation.sessions.map((session) => ({
    ...session,
    turns: session.turns.map((turn) => ({
      ...turn,
      role: turn.speaker === agentName ? ('assistant' as const) : ('user' as const),
    })),
  }))
  return { ...conversation, sessions, user: userName ?? conversation.user }
}

export function datasetWithAgent(dataset: OpenedDataset, agent: AgentSpeaker): OpenedDataset {
  return {
    ...dataset,
    async *conversations() {
      for await (const conversation of dataset.conversations()) yield withAgent(conversation, agent)
    },
  }
}
