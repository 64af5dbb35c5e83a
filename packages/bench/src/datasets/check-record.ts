import { z } from 'zod'
import { DatasetError } from './dataset-error.ts'
import type { DatasetRecord } from './record-file.ts'

/** Validates an entry. Unknown fields are allowed. @throws DatasetError naming file, entry and the first invalid field */
export function checkRecord<T>(schema: z.ZodType<T>, file: string, { where, value }: DatasetRecord): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const problem = issue === undefined ? 'is not in its published form' : describeIssue(issue, value)
  throw new DatasetError(file, `${where}: ${problem}`, result.error)
}

/** Describes the first problem of an entry, such as “sessions is missing”. */
function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const field = issue.path.length === 0 ? 'it' : z.core.toDotPath(issue.path)
  const fieldValue = issue.path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
  if (fieldValue === undefined && issue.path.length > 0) return `${field} is missing`
  switch (issue.code) {
    case 'invalid_type':
      return `${field} should be ${withArticle(issue.expected)}, and is ${nameKind(fieldValue)}`
    case 'invalid_value':
      return `${field} should be ${issue.values.map((each) => JSON.stringify(each)).join(' or ')}`
    default:
      return `${field} ${issue.message}`
  }
}

function nameKind(value: unknown): string {
  if (value === null) return 'null'
  return withArticle(Array.isArray(value) ? 'array' : typeof value)
}

function withArticle(word: string): string {
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
}
