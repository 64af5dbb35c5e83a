import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { PAGE } from '@keepsake/inspector'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** How a file is sent. */
export interface Sent {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** `null`: as it stands. */
  readonly encoding: 'br' | 'gzip' | null
}

/** A file of the page, read and compressed once, when it is first asked for. */
export interface PageFile {
  readonly type: string
  /** @param accepts what the browser takes, as its `Accept-Encoding` says */
  read(accepts: string): Promise<Sent>
}

/** The built page. */
export interface PageFiles {
  readonly index: PageFile
  /** By their names within `assets/`. Nothing else is served. */
  readonly assets: ReadonlyMap<string, PageFile>
}

/** The page as it was built; `null` where it was not, which happens in a clone of the repository alone. */
export function openPage(): PageFiles | null {
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
