import { Problem } from '../problem.ts'
import { parseJson } from '../serving/request-body.ts'
import { asRecord, type JsonRecord } from './json-value.ts'

/** A request's body as an object. @param example of one. @throws Problem 400 for what is none. */
export function readRequestJson(json: string, example: string): JsonRecord {
  const request = asRecord(parseJson(json))
  if (request !== null) return request
  throw new Problem(400, 'bad-request', `The body must be a JSON object such as ${example}.`)
}
