import { asName, asRecord, type JsonRecord } from '../chats/json-value.ts'

/**
 * Whose memory a request of OpenAI's clients says it is: `user`, or what came in its place, `safety_identifier`, or the metadata
 * `user_id` or `user`. The first that says something counts.
 */
export function openaiUser({ user, safety_identifier: safety, metadata }: JsonRecord): string | null {
  const { user_id: id, user: name } = asRecord(metadata) ?? {}
  return asName(user) ?? asName(safety) ?? asName(id) ?? asName(name)
}
