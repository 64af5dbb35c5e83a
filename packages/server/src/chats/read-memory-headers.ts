import { faultOfId, given } from '@keepsake/text/names'
import type { ScopeKey } from 'keepsake'
import { onlyName, type Grant } from '../access/grant.ts'
import { Problem } from '../problem.ts'

export interface MemoryRequest {
  /** `null`: no user was named, so nothing is recalled or remembered. */
  readonly scope: ScopeKey | null
  /** `null`: the current session, split by silence. */
  readonly session: string | null
  /** Token budget of the recalled context; 0: no recall. */
  readonly tokens: number
  /** Whether the profile precedes the recalled context. */
  readonly profile: boolean
  readonly remember: boolean
}

const MAX_TOKENS = 100_000

/** Values for requests whose headers name no others: the user of the body, and the token budget. */
type MemoryDefaults = Pick<MemoryRequest, 'tokens'> & { readonly user: string | null }

/**
 * Reads the `X-Keepsake-*` headers (percent-encoded), which override the body. Open WebUI's headers are read where they are absent. If
 * nothing names a user, the key's only user is taken. @throws Problem
 */
export function readMemoryHeaders(
  headers: Headers,
  grant: Pick<Grant, 'users' | 'tenants'>,
  { user, tokens }: MemoryDefaults,
): MemoryRequest {
  const named = readName(headers, 'x-keepsake-user') ?? user ?? readName(headers, 'x-openwebui-user-id')
  const userName = named ?? onlyName(grant.users)
  const tenant = readName(headers, 'x-keepsake-tenant') ?? onlyName(grant.tenants) ?? undefined
  const agent = readName(headers, 'x-keepsake-agent') ?? undefined
  const app = readName(headers, 'x-keepsake-app') ?? undefined
  return {
    scope: userName === null ? null : { user: userName, ...given({ tenant, agent, app }) },
    session: readName(headers, 'x-keepsake-session') ?? readName(headers, 'x-openwebui-chat-id'),
    tokens: readTokens(headers, tokens),
    profile: readFlag(headers, 'x-keepsake-profile'),
    remember: readFlag(headers, 'x-keepsake-remember'),
  }
}

const MAX_NAME_LENGTH = 512

function readName(headers: Headers, header: string): string | null {
  const value = headers.get(header)
  if (value === null || value.trim() === '') return null
  const name = decodeName(value, header)
  if (name.trim() === '') return null
  if (name.length > MAX_NAME_LENGTH)
    throw headerProblem(header, `is longer than ${MAX_NAME_LENGTH} characters`)
  const fault = faultOfId(name)
  if (fault !== null) throw headerProblem(header, fault)
  return name
}

/** Decodes a name from a header. @throws Problem 400 naming the header. */
export function decodeName(value: string, header: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw headerProblem(
      header,
      'is not percent-encoded UTF-8: write encodeURIComponent(name), a percent sign as %25',
    )
  }
}

function readTokens(headers: Headers, fallback: number): number {
  const header = 'x-keepsake-tokens'
  const value = headers.get(header)
  if (value === null) return fallback
  const tokens = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN
  if (tokens <= MAX_TOKENS) return tokens
  throw headerProblem(header, `must be a whole number from 0 (recall nothing) to ${MAX_TOKENS}`)
}

function readFlag(headers: Headers, header: string): boolean {
  const value = headers.get(header)?.toLowerCase()
  if (value === undefined || value === 'true') return true
  if (value === 'false') return false
  throw headerProblem(header, 'must be true or false')
}

function headerProblem(header: string, problem: string): Problem {
  return new Problem(400, 'bad-request', `The header ${header} ${problem}.`, {
    fields: [{ field: `header.${header}`, problem }],
  })
}
