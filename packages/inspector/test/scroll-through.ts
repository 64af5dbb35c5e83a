import type { Browser, Page } from 'playwright-core'

/** What was seen while a list was scrolled to its end. */
export interface Scrolled {
  /** Rows at the end, by the number of the last. */
  readonly rows: number
  /** Rows in the page at a time, at most. */
  readonly mostInPage: number
  /** Rows that were put into the page in one go, at most. */
  readonly mostAtOnce: number
  /** Milliseconds between frames as they came, the shortest first: of the whole machine, and whatever else it does. */
  readonly frames: readonly number[]
  /** Milliseconds of processor time that each task of the page held its main thread for, the shortest first. */
  readonly tasks: readonly number[]
}

const STEP = 1_800
const PATIENCE = 300

/**
 * Scrolls the list of memories to its end, two windows' height a frame. The browser's trace counts the processor time of each
 * task, so what other programs take on a busy machine does not count.
 */
export async function scrollThrough(browser: Browser, page: Page): Promise<Scrolled> {
  await browser.startTracing(page, { categories: ['toplevel'] })
  await watchRows(page)
  const seen = { ...(await scroll(page)), mostAtOnce: await rowsAtOnce(page) }
  const trace = JSON.parse((await browser.stopTracing()).toString('utf8')) as Trace
  return { ...seen, tasks: mainThreadTasks(trace) }
}

/** Counts the rows that are put into the page in one go from now on, the most of them kept on the page's body. */
export async function watchRows(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { dataset } = document.body
    dataset['rowsAtOnce'] = '0'
    const watcher = new MutationObserver((changes) => {
      const added = changes
        .flatMap(({ addedNodes }) => [...addedNodes])
        .filter((node) => node instanceof Element)
      const count = added.reduce(
        (sum, one) => sum + Number(one.matches('[data-index]')) + one.querySelectorAll('[data-index]').length,
        0,
      )
      dataset['rowsAtOnce'] = String(Math.max(Number(dataset['rowsAtOnce']), count))
    })
    watcher.observe(document.body, { childList: true, subtree: true })
  })
}

/** The most since {@link watchRows}. */
export const rowsAtOnce = (page: Page): Promise<number> =>
  page.evaluate(() => Number(document.body.dataset['rowsAtOnce']))

function scroll(page: Page): Promise<Omit<Scrolled, 'tasks' | 'mostAtOnce'>> {
  return page.evaluate(
    async ([step, patience]) => {
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
      const frames: number[] = []
      let mostInPage = 0
      let stood = 0
      let last = await frame()
      while (stood < patience) {
        const before = window.scrollY
        window.scrollBy(0, step)
        const now = await frame()
        frames.push(now - last)
        last = now
        mostInPage = Math.max(mostInPage, document.querySelectorAll('[data-index]').length)
        stood = window.scrollY === before ? stood + 1 : 0
      }
      const rows = [...document.querySelectorAll('[data-index]')]
      const indexes = rows.map((row) => Number(row.getAttribute('data-index')))
      return {
        rows: Math.max(...indexes) + 1,
        mostInPage,
        frames: frames.toSorted((one, other) => one - other),
      }
    },
    [STEP, PATIENCE] as const,
  )
}

/** As much of Chromium's trace as is looked at: times in microseconds, `tdur` of the processor. */
interface Trace {
  readonly traceEvents: readonly {
    readonly name: string
    readonly pid: number
    readonly tid: number
    readonly tdur?: number
    readonly args?: { readonly name?: string }
  }[]
}

/** Milliseconds of processor time that each task of the page held its main thread for, the shortest first. */
function mainThreadTasks({ traceEvents }: Trace): readonly number[] {
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  return traceEvents
    .filter(({ name, pid, tid }) => name.endsWith('RunTask') && mains.has(`${pid} ${tid}`))
    .flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1_000]))
    .toSorted((one, other) => one - other)
}
