import type { ServerDeps, Upstream } from '../server-context.ts'
import type { AnswerReader } from './read-answer.ts'
import type { ChatMessage } from './chat-message.ts'

/** A request to a language model, as far as memory needs it. */
export interface ChatRequest {
  /** As it came. */
  readonly json: string
  /** Whose memory the body says it is, and under which field of it an answer would look for that. */
  readonly user: string | null
  /** `null`: there is no talk in it. The upstream says so better than we could. */
  readonly messages: readonly ChatMessage[] | null
  /** The id of the answer or conversation that it goes on from, which the upstream keeps; `null`: the talk so far stands in the request. */
  readonly continues: string | null
  /** What the request says already of the answer, which the model only goes on with; empty for most. */
  readonly begun: string
  /** The request with recalled words in it, no other byte of it touched. */
  readonly withRecalled: (content: string) => string
}

/** How a door's clients speak with a language model. */
export interface ChatProtocol {
  /** Below the upstream's address. */
  readonly path: string
  /** The field that names the user, for those who left it out. */
  readonly userField: string
  /** @throws Problem 400 for what is no JSON object. Everything else is the upstream's to judge. */
  readonly read: (json: string) => ChatRequest
  /** A reader for an answer of a content type; the request's `stream` says what is wished, this what came. */
  readonly answerReader: (contentType: string | null) => AnswerReader
  /** @throws Problem 503 `no-upstream`. */
  readonly upstream: (deps: ServerDeps) => Upstream
}
