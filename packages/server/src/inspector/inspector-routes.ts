import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import type { ServerEnv } from '../server-context.ts'
import { openPage, type PageFile } from './page-files.ts'

/**
 * What the page may do in a browser: load its own files, ask its own server, and nothing else. No script or style that stands in
 * the page itself is run, no other host is asked, nothing frames it, and no text can become markup (trusted types, none of which
 * can be made).
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
}

/** Addresses of the page besides `/`: it reads them itself, so that all are answered by the same file. */
const DEEP_LINKS = ['/people/*', '/runs/*'] as const
const ASSETS = '/assets/'
const FOR_EVER = 'public, max-age=31536000, immutable'

/**
 * The inspector: a page on which to see, question and correct what is remembered. Its files hold nothing of anybody's memory and
 * need no key; what it shows it asks for at the other doors, with the key that its reader types.
 */
export function inspectorRoutes(): Hono<ServerEnv> {
  const page = openPage()
  const app = new Hono<ServerEnv>()
  if (page === null) return app
  const html: MiddlewareHandler<ServerEnv> = async (c) =>
    answer(page.index, c.req.header('accept-encoding'), 'no-cache')
  app.get('/', html)
  for (const path of DEEP_LINKS) app.get(path, html)
  app.get(`${ASSETS}*`, (c) => {
    const file = page.assets.get(c.req.path.slice(ASSETS.length))
    return file === undefined ? c.notFound() : answer(file, c.req.header('accept-encoding'), FOR_EVER)
  })
  return app
}

async function answer(file: PageFile, accepts: string | undefined, caching: string): Promise<Response> {
  const { bytes, encoding } = await file.read(accepts ?? '')
  return new Response(bytes, {
    headers: {
      ...HEADERS,
      'Content-Type': file.type,
      'Cache-Control': caching,
      Vary: 'Accept-Encoding',
      ...(encoding === null ? {} : { 'Content-Encoding': encoding }),
    },
  })
}
