import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { PAGE } from '@keepsake/inspector'
import { Hono, type MiddlewareHandler } from 'hono'
import type { ServerEnv } from '../server-context.ts'

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
 * The inspector: a page on which to see, question and correct what is remembered. Its files hold no memories and
 * need no key; it requests its data over REST with the key that its reader types.
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

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** How a file is sent. */
interface Sent {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** `null`: as it stands. */
  readonly encoding: 'br' | 'gzip' | null
}

/** A file of the page, read and compressed once, when it is first asked for. */
interface PageFile {
  readonly type: string
  /** @param accepts what the browser takes, as its `Accept-Encoding` says */
  read(accepts: string): Promise<Sent>
}

/** The built page. */
interface PageFiles {
  readonly index: PageFile
  /** By their names within `assets/`. Nothing else is served. */
  readonly assets: ReadonlyMap<string, PageFile>
}

/** The page as it was built; `null` where it was not, which happens in a clone of the repository alone. */
function openPage(): PageFiles | null {
  const index = new URL('index.html', PAGE)
  if (!existsSync(index)) return null
  const assets = new URL('assets/', PAGE)
  const names = readdirSync(assets).filter((name) => extname(name) in TYPES)
  return {
    index: pageFile(index),
    assets: new Map(names.map((name) => [name, pageFile(new URL(name, assets))])),
  }
}

/** Good, and quick enough for who asks first: a fifth of a second for the largest file. */
const QUALITY = 9
const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

function pageFile(url: URL): PageFile {
  const kept = new Map<Sent['encoding'], Promise<Sent>>()
  const keep = (encoding: Sent['encoding'], make: () => Promise<Sent>): Promise<Sent> => {
    const there = kept.get(encoding) ?? make()
    kept.set(encoding, there)
    return there
  }
  const plain = (): Promise<Sent> =>
    keep(null, async () => ({ bytes: new Uint8Array(await readFile(url)), encoding: null }))
  return {
    type: TYPES[extname(url.pathname)] ?? 'application/octet-stream',
    read: (accepts) => {
      if (/\bbr\b/.test(accepts)) return keep('br', async () => brotli(await plain()))
      if (/\bgzip\b/.test(accepts)) return keep('gzip', async () => zipped(await plain()))
      return plain()
    },
  }
}

async function brotli({ bytes }: Sent): Promise<Sent> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY }
  return { bytes: new Uint8Array(await toBrotli(bytes, { params })), encoding: 'br' }
}

async function zipped({ bytes }: Sent): Promise<Sent> {
  return { bytes: new Uint8Array(await toGzip(bytes, { level: QUALITY })), encoding: 'gzip' }
}
