import type { Action } from '../access/grant.ts'

/** What a request to a route needs: the action its key must open, and a body that it takes. */
export interface RouteRequest {
  /** `any`: whatever it opens; `own`: what it made itself, or `admin`. */
  readonly action: Action | 'any' | 'own'
  readonly body?: unknown
  /** Parameters that it needs, without `?`. */
  readonly query?: string
  /** Needs `read` besides, because the answer has words of memory. */
  readonly reads?: true
  /** Takes an `Idempotency-Key`. */
  readonly once?: true
  /** Its body is JSON lines or a file: text, sent as it is. */
  readonly lines?: true
}

/** Ids of what a person has, for paths and bodies. */
export interface Ids {
  readonly user: string
  readonly memory: string
  /** One that is deleted: it can be restored. */
  readonly deleted: string
  readonly quarantined: string
  readonly operation: string
  readonly turn: string
  readonly session: string
  /** The receipt of what was erased. */
  readonly erasure: string
  /** A webhook of whoever looks after the server. */
  readonly webhook: string
  /** One that a message relates to the user. */
  readonly entity: string
  /** One that asks for everything to be forgotten, and waits. */
  readonly wide: string
  /** A key of the application's own. */
  readonly key: string
}

const turns = [{ role: 'user', text: 'I keep bees.' }]
const scope = '/v1/scopes/{user}'

/** Every REST route, with a request that succeeds where its key and ids are right. */
export const ROUTES: Readonly<Record<string, (ids: Ids) => RouteRequest>> = {
  [`POST ${scope}/turns`]: () => ({ action: 'write', body: { turns, session: 'two' }, once: true }),
  [`GET ${scope}/turns`]: () => ({ action: 'read' }),
  [`GET ${scope}/turns/{turn}/around`]: () => ({ action: 'read' }),
  [`GET ${scope}/sessions`]: () => ({ action: 'read' }),
  [`GET ${scope}/sessions/{session}/remembering`]: () => ({ action: 'read' }),
  [`PUT ${scope}/sessions/{session}/remembering`]: () => ({
    action: 'write',
    body: { remember: true },
    once: true,
  }),
  [`POST ${scope}/sessions/end`]: () => ({ action: 'write', body: {}, once: true }),
  [`POST ${scope}/recall`]: () => ({ action: 'read', body: { question: 'Where?' } }),
  [`POST ${scope}/reply`]: () => ({ action: 'write', reads: true, body: { turns, session: 'two' } }),
  [`GET ${scope}/memories`]: () => ({ action: 'read' }),
  [`GET ${scope}/memories/{memory}`]: () => ({ action: 'read' }),
  [`GET ${scope}/memories/{memory}/history`]: () => ({ action: 'read' }),
  [`GET ${scope}/memories/{memory}/life`]: () => ({ action: 'read' }),
  [`POST ${scope}/memories`]: ({ turn }) => ({
    action: 'write',
    body: { text: 'The user keeps four hives.', evidence: [turn] },
    once: true,
  }),
  [`PATCH ${scope}/memories/{memory}`]: () => ({ action: 'write', body: { text: 'Other.' }, once: true }),
  [`DELETE ${scope}/memories/{memory}`]: () => ({ action: 'write', once: true }),
  [`PUT ${scope}/memories/{memory}/pin`]: () => ({ action: 'write', once: true }),
  [`DELETE ${scope}/memories/{memory}/pin`]: () => ({ action: 'write', once: true }),
  [`POST ${scope}/memories/{deleted}/restore`]: () => ({ action: 'write', once: true }),
  [`GET ${scope}/blocks`]: () => ({ action: 'read' }),
  [`PUT ${scope}/blocks`]: ({ turn }) => ({
    action: 'write',
    body: { name: 'tasks', text: 'feed the bees', evidence: [turn] },
    once: true,
  }),
  [`PATCH ${scope}/blocks`]: () => ({
    action: 'write',
    reads: true,
    body: { name: 'hives', insert: 'a fourth one' },
    once: true,
  }),
  [`GET ${scope}/requests`]: () => ({ action: 'read' }),
  [`POST ${scope}/requests/{wide}/confirm`]: () => ({ action: 'write', once: true }),
  [`POST ${scope}/operations/{operation}/undo`]: () => ({ action: 'write', once: true }),
  [`GET ${scope}/quarantine`]: () => ({ action: 'read' }),
  [`POST ${scope}/quarantine/{quarantined}/release`]: () => ({ action: 'write', once: true }),
  [`GET ${scope}/persona`]: () => ({ action: 'read' }),
  [`GET ${scope}/instructions`]: () => ({ action: 'read' }),
  [`POST ${scope}/forget`]: () => ({
    action: 'write',
    body: { topic: 'the trip', dryRun: true },
    once: true,
  }),
  [`GET ${scope}/profile`]: () => ({ action: 'read' }),
  [`GET ${scope}/due`]: () => ({ action: 'read' }),
  [`GET ${scope}/entities`]: () => ({ action: 'read' }),
  [`GET ${scope}/entities/{entity}`]: () => ({ action: 'read' }),
  [`GET ${scope}/story`]: () => ({ action: 'read' }),
  [`GET ${scope}/portrait`]: () => ({ action: 'read' }),
  [`GET ${scope}/stats`]: () => ({ action: 'read' }),
  [`GET ${scope}/operations`]: () => ({ action: 'read' }),
  [`GET ${scope}/jobs`]: () => ({ action: 'read' }),
  [`POST ${scope}/jobs/retry`]: () => ({ action: 'write', once: true }),
  [`GET ${scope}/state`]: () => ({ action: 'read' }),
  [`GET ${scope}/state/{key}`]: () => ({ action: 'read' }),
  [`GET ${scope}/categories`]: () => ({ action: 'read' }),
  [`GET ${scope}/guidelines`]: () => ({ action: 'read' }),
  [`PUT ${scope}/guidelines`]: () => ({ action: 'write', body: { never: ['salary'] }, once: true }),
  [`GET ${scope}/consent`]: () => ({ action: 'read' }),
  [`PUT ${scope}/consent`]: () => ({ action: 'write', body: { consent: 'refused' }, once: true }),
  [`GET ${scope}/strengths`]: () => ({ action: 'read' }),
  [`POST ${scope}/forgetting`]: () => ({ action: 'write', body: { keep: 1 }, once: true }),
  [`POST ${scope}/erase`]: ({ turn }) => ({ action: 'erase', body: { turns: [turn] }, once: true }),
  [`POST ${scope}/erase/preview`]: ({ turn }) => ({ action: 'read', body: { turns: [turn] } }),
  [`GET ${scope}/erasures`]: () => ({ action: 'read' }),
  [`GET ${scope}/erasures/{erasure}`]: () => ({ action: 'erase' }),
  [`DELETE ${scope}`]: () => ({ action: 'erase', once: true, query: 'everything=true' }),
  [`GET ${scope}/export`]: () => ({ action: 'read' }),
  [`POST ${scope}/import/preview`]: () => ({ action: 'write', lines: true, body: 'User: I keep bees.\n' }),
  [`POST ${scope}/import`]: () => ({ action: 'write', lines: true, body: 'User: I keep bees.\n' }),
  [`POST ${scope}/export/ticket`]: () => ({ action: 'read' }),
  [`GET ${scope}/events`]: () => ({ action: 'read' }),
  'POST /v1/recall': ({ user }) => ({
    action: 'read',
    body: { question: 'Who?', scopes: [{ tenant: 'acme', user }] },
  }),
  'POST /v1/webhooks': ({ user }) => ({
    action: 'any',
    body: { url: 'https://93.184.216.34/hook', tenant: 'acme', user },
  }),
  'GET /v1/webhooks': () => ({ action: 'any' }),
  'GET /v1/webhooks/{webhook}': () => ({ action: 'own' }),
  'PATCH /v1/webhooks/{webhook}': () => ({ action: 'own', body: { enabled: false } }),
  'DELETE /v1/webhooks/{webhook}': () => ({ action: 'own' }),
  'POST /v1/webhooks/{webhook}/secret': () => ({ action: 'own', body: {} }),
  'GET /v1/webhooks/{webhook}/failed': () => ({ action: 'own' }),
  'POST /v1/webhooks/{webhook}/failed/replay': () => ({ action: 'own', body: {} }),
  'GET /v1/access': () => ({ action: 'any' }),
  'GET /v1/scopes': () => ({ action: 'admin' }),
  'GET /v1/events': () => ({ action: 'admin' }),
  'GET /v1/stats': () => ({ action: 'admin' }),
  'GET /v1/jobs': () => ({ action: 'admin' }),
  'POST /v1/jobs/retry': () => ({ action: 'admin', once: true }),
  'POST /v1/import': ({ user }) => ({
    action: 'admin',
    lines: true,
    body: [
      { row: 'keepsake-export', format: 1, tenant: 'imported', user },
      { row: 'scope', scope: 1, agent: null, app: null },
    ]
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  }),
}

/** A route's name as the router has it: `POST /v1/scopes/:user/memories/:memory/restore`. */
export function routePattern(name: string): string {
  return name
    .replaceAll(/\{(?:deleted|quarantined)\}/g, ':memory')
    .replaceAll('{wide}', ':turn')
    .replaceAll(/\{(\w+)\}/g, ':$1')
}

export function routePath(name: string, ids: Readonly<Record<keyof Ids, string>>): string {
  const [, path = ''] = name.split(' ')
  return path.replaceAll(/\{(\w+)\}/g, (_, id: string) => encodeURIComponent(ids[id as keyof Ids]))
}
