import { OpenAPIHono } from '@hono/zod-openapi'
import type { ServerEnv } from '../server-context.ts'
import { refuseInvalid } from './refuse-invalid.ts'

export type RestApp = OpenAPIHono<ServerEnv>

/** A router whose routes refuse what their schemas do not take. */
export function newRestApp(): RestApp {
  return new OpenAPIHono<ServerEnv>({ defaultHook: refuseInvalid })
}
