import type { Browser, Page } from 'playwright-core'

/** What was seen while a list was scrolled to its end. */
export interface Scrolled {
  /** Rows at the end, by the number of the last. */
  readonly rows: number
  /** Rows in the page at a time, at most. */
  readonly mostInPage: number
  /** Milliseconds between frames as they came, the shortest first: of the whole machine, and whatever else it does. */
  readonly frames: readonly number[]
  /** Milliseconds of processor time that each task of the page held its main thread for, the shortest first. */
  readonly tasks: readonly number[]
}

const STEP = 900
const PATIENCE = 300

/**
 * Scrolls the list of memories to its end, a window's height a frame. What the page takes is told apart from what a busy machine
 * takes by the browser's own trace, which counts the processor's time of each task.
 */
export async function scrollThrough(browser: Browser, page: Page): Promise<Scrolled> {
  await browser.startTracing(page, { categories: ['toplevel'] })
  const seen = await scroll(page)
  const trace = JSON.parse((await browser.stopTracing()).toString('utf8')) as Trace
  return { ...seen, tasks: mainThreadTasks(trace) }
}

function scroll(page: Page): Promise<Omit<Scrolled, 'tasks'>> {
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
export interface Trace {
  readonly traceEvents: readonly {
    readonly name: string
    readonly pid: number
    readonly tid: number
    readonly tdur?: number
    readonly args?: { readonly name?: string }
  }[]
}

/** Milliseconds of processor time that each task of the page held its main thread for, the shortest first. */
export function mainThreadTasks({ traceEvents }: Trace): readonly number[] {
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
