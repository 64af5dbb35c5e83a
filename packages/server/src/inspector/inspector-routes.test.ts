import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { first, openTestServer, type TestServer } from '../testing/routes-app.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const get = (path: string, headers: Record<string, string> = {}) => server.app.request(path, { headers })

/** The files that the page names, which are all within `assets/`. */
async function namedFiles(): Promise<string[]> {
  const html = await (await get('/')).text()
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
}

describe('the inspector', () => {
  it('is one page at / and at every address below people and runs, for whoever asks', async () => {
    const html = await (await get('/')).text()
    expect(html).toContain('<div id="page">')
    for (const path of ['/people', '/people/ana/memories?form=fact', '/people/a%2Fb', '/runs/one']) {
      const response = await get(path)
      expect([path, response.status, await response.text()]).toEqual([path, 200, html])
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-cache')
    }
  })

  it('holds no script, style or handler of its own, and names files of this server alone', async () => {
    const html = await (await get('/')).text()
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/)
    const files = await namedFiles()
    expect(files.length).toBeGreaterThan(1)
    for (const path of files) {
      expect(path).toMatch(/^\/assets\//)
      const response = await get(path)
      expect([path, response.status]).toEqual([path, 200])
      expect(response.headers.get('cache-control')).toContain('immutable')
    }
  })

  it('may load its own files and ask its own server, and nothing else', async () => {
    const [file] = await namedFiles()
    for (const path of ['/', '/people/ana', file ?? '']) {
      const { headers } = await get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("require-trusted-types-for 'script'")
      expect(policy).not.toMatch(/unsafe|https?:|\*|data:/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  it('is compressed as the browser takes it', async () => {
    const script = first((await namedFiles()).filter((path) => path.endsWith('.js')))
    const plain = Buffer.from(await (await get(script)).arrayBuffer())
    for (const [accepts, encoding, open] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const response = await get(script, { 'Accept-Encoding': accepts })
      expect(response.headers.get('content-encoding')).toBe(encoding)
      const sent = Buffer.from(await response.arrayBuffer())
      expect(sent.length).toBeLessThan(plain.length / 2)
      expect(open(sent).equals(plain)).toBe(true)
    }
  })

  it('serves no other file, by whatever name', async () => {
    for (const name of ['nothing.js', '..%2Findex.html', '%2e%2e%2f%2e%2e%2fpackage.json', '.made-from']) {
      const { status } = await get(`/assets/${name}`)
      expect([name, status]).toEqual([name, 404])
    }
  })

  it('is left out where it is not wanted', async () => {
    const without = await openTestServer({}, { inspector: false })
    const { status } = await without.app.request('/')
    await without.close()
    expect(status).toBe(401)
  })
})
