import type { LanguageModel } from 'keepsake'
import { type LanguageRequest, scriptedModel } from 'keepsake/model'
import type { PeerRound } from './peer-talk.ts'
import { smallestAnswer } from '../recordings/smallest-answer.ts'

/** A model that answers at once with the facts of its input. */
export interface PeerReader {
  readonly model: LanguageModel
  /** Announces the next rounds, for prompts that do not separate new turns from old ones. */
  readonly tell: (rounds: readonly PeerRound[]) => void
}

const SENTENCE = /I ([a-z]+ a [a-z]+ [a-z]+ with [A-Z][a-z]+)\./g
const TURN = /^\[(\d+)\] .*?: "(.*)"$/gm
const TURNS = /<turns>\n([\s\S]*?)\n<\/turns>/

/** Makes the model of all systems. It turns each informative sentence into one fact, and takes no time. */
export function peerReader(): PeerReader {
  let announced: readonly PeerRound[] = []
  const model = scriptedModel((request) => {
    if (request.prompt?.startsWith('segment/') === true) return JSON.stringify(readSegment(request))
    if (request.schema !== null) return JSON.stringify(smallestAnswer(request.schema))
    return JSON.stringify({
      memory: announced.flatMap(({ facts }) => facts.map(({ text }, id) => ({ id: String(id), text }))),
    })
  }, 'bench/peer-reader')
  return {
    // Removes the requests that a scripted model keeps. They would count as memory of the system.
    model: { id: model.id, generate: withoutRequests(model), stream: (request) => model.stream(request) },
    tell: (rounds) => {
      announced = rounds
    },
  }
}

function withoutRequests(model: ReturnType<typeof scriptedModel>): LanguageModel['generate'] {
  return async (request) => {
    const answer = await model.generate(request)
    ;(model.requests as LanguageRequest[]).length = 0
    return answer
  }
}

/** Answers Keepsake's prompt for a segment with facts, each with turn number and quote. */
function readSegment({ messages }: LanguageRequest): object {
  const [, turns = ''] = TURNS.exec(messages.at(-1)?.text ?? '') ?? []
  const memories = [...turns.matchAll(TURN)].flatMap(([, number, userText = '']) =>
    [...userText.matchAll(SENTENCE)].map(([quote, rest = '']) => ({
      changes: null,
      text: `The user ${rest}.`,
      type: 'event',
      subject: 'user',
      word: 'user',
      key: null,
      value: null,
      when: null,
      until: null,
      importance: 5,
      evidence: [`${number}: ${quote}`],
    })),
  )
  return { summary: 'The user talked with several people about this and that.', memories, forget: [] }
}
