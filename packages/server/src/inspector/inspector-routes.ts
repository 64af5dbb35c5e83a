import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import { PAGE } from '@keepsake/inspector'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import type { ServerEnv } from '../server-context.ts'

const NONE = ["'none'"]
const SELF = ["'self'"]

/** Lets the page load its own files and its own server, and nothing else: no inline script, other host or frame. */
const HEADERS = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: NONE,
    scriptSrc: SELF,
    styleSrc: SELF,
    imgSrc: SELF,
    connectSrc: SELF,
    baseUri: NONE,
    formAction: NONE,
    frameAncestors: NONE,
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: NONE,
  },
  xFrameOptions: 'DENY',
  permissionsPolicy: { camera: [], geolocation: [], microphone: [] },
  strictTransportSecurity: false,
})

/** Routes of the page besides `/`, all answered by the same file. */
const DEEP_LINKS = ['/', '/people/*', '/runs/*']

/** Serves the inspector's page, whose files hold no memories and need no key. Serves nothing when it was not built. */
export function inspectorRoutes(): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>()
  const root = fileURLToPath(PAGE)
  if (!existsSync(`${root}index.html`)) return app
  const serve = (caching: string, path?: string) =>
    serveStatic<ServerEnv>({
      root,
      precompressed: true,
      ...(path === undefined ? {} : { path }),
      onFound: (_, c) => {
        c.header('Cache-Control', caching)
        c.header('Vary', 'Accept-Encoding')
      },
    })
  for (const path of DEEP_LINKS) app.get(path, HEADERS, serve('no-cache', 'index.html'))
  app.get('/assets/*', HEADERS, serve('public, max-age=31536000, immutable'), (c) => c.notFound())
  return app
}
