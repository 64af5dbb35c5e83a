// How large and how fast the inspector is: `npm run measure -w packages/inspector` (after `npm run build`). Prints JSON, and with
// `--write` keeps it as docs/benchmarks/raw/inspector.json. Needs Chromium; told how busy the machine was.
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { openBrowser, openPage } from '../test/browser.ts'
import { rememberMany } from '../test/remember-many.ts'
import { scrollThrough } from '../test/scroll-through.ts'
import { serve } from '../test/serve.ts'

const OPENINGS = 9
const MEMORIES = 10_000
const RAW = fileURLToPath(new URL('../../../docs/benchmarks/raw/inspector.json', import.meta.url))

/** @param {readonly number[]} values @param {number} share */
function at(values, share) {
  const sorted = values.toSorted((one, other) => one - other)
  return Math.round(10 * (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)) / 10
}

/** What the first page loads, as the browser gets it. @param {string} url @param {string} key */
async function measureBytes(url, key) {
  const browser = await openBrowser()
  const { page } = await openPage(browser)
  /** @type {{ name: string, plain: number, brotli: number, gzip: number }[]} */
  const files = []
  /** @type {Promise<void>[]} */
  const read = []
  const note = async (/** @type {import('playwright-core').Response} */ response) => {
    const path = new URL(response.url()).pathname
    if (path.startsWith('/v1/')) return
    const body = await response.body()
    files.push({
      name: path,
      plain: body.length,
      brotli: brotliCompressSync(body).length,
      gzip: gzipSync(body).length,
    })
  }
  page.on('response', (response) => void read.push(note(response)))
  await page.goto(`${url}/#key=${key}`)
  await page.getByRole('link', { name: 'many' }).waitFor()
  await Promise.all(read)
  await browser.close()
  const sum = (/** @type {'plain' | 'brotli' | 'gzip'} */ what) =>
    files.reduce((all, file) => all + file[what], 0)
  return { files, plain: sum('plain'), brotli: sum('brotli'), gzip: sum('gzip') }
}

/** From the address to the first words, and to the list of people. @param {string} url @param {string} key */
async function measurePaints(url, key) {
  /** @type {{ first: number[], useful: number[], shift: number[] }} */
  const times = { first: [], useful: [], shift: [] }
  const browser = await openBrowser()
  for (let opening = 0; opening < OPENINGS; opening++) {
    const { page, context } = await openPage(browser)
    const started = performance.now()
    await page.goto(`${url}/#key=${key}`, { waitUntil: 'commit' })
    await page.getByRole('link', { name: 'many' }).waitFor()
    times.useful.push(performance.now() - started)
    const [paint, shift] = await page.evaluate(() => [
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      performance
        .getEntriesByType('layout-shift')
        .reduce((all, entry) => all + Number(Reflect.get(entry, 'value') ?? 0), 0),
    ])
    times.first.push(paint ?? 0)
    times.shift.push(shift ?? 0)
    await context.close()
  }
  await browser.close()
  return {
    openings: OPENINGS,
    firstContentfulPaintMs: { median: at(times.first, 0.5), slowest: at(times.first, 1) },
    firstUsefulPaintMs: { median: at(times.useful, 0.5), slowest: at(times.useful, 1) },
    layoutShift: at(times.shift, 1),
  }
}

/** @param {string} url @param {string} key */
async function measureScrolling(url, key) {
  const browser = await openBrowser()
  const { page } = await openPage(browser)
  await page.goto(`${url}/people/many/memories#key=${key}`)
  await page.getByRole('article').first().waitFor()
  const { rows, mostInPage, frames, tasks } = await scrollThrough(browser, page)
  await browser.close()
  return {
    rows,
    mostInPage,
    tasks: tasks.length,
    longestTaskCpuMs: at(tasks, 1),
    frames: frames.length,
    frameMs: { median: at(frames, 0.5), p99: at(frames, 0.99), longest: at(frames, 1) },
    framesOver50Ms: frames.filter((one) => one > 50).length,
  }
}

const served = await serve()
try {
  await rememberMany(served.keepsake, 'many', MEMORIES)
  const key = await served.keyFor()
  const result = {
    command: 'npm run measure -w packages/inspector',
    load: loadavg()[0],
    firstPage: await measureBytes(served.url, key),
    opening: await measurePaints(served.url, key),
    scrolling: await measureScrolling(served.url, key),
  }
  const text = `${JSON.stringify(result, null, 2)}\n`
  if (process.argv.includes('--write')) writeFileSync(RAW, text)
  console.log(text)
} finally {
  await served.close()
}
