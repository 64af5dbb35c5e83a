import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** A narrow and a wide window, one in each colour scheme: colours do not depend on the width, nor the layout on colours. */
export const NARROW_AND_WIDE = [
  { viewport: { width: 360, height: 800 }, colorScheme: 'light' },
  { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
] as const

/** What WCAG AA finds wrong with a page as it stands, in a line each: rule, what it says, and where. */
export async function findBarriers(page: Page): Promise<string[]> {
  // By the browser's own debugger: the page's policy lets no script be put into it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  const { violations } = await page.evaluate(
    async (tags) =>
      (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run({
        runOnly: tags,
      }),
    TAGS,
  )
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
}

/** The same of a page in both its colours, by name: it is loaded once, since a scheme changes its style alone. */
export async function findBarriersInBoth(page: Page): Promise<Readonly<Record<'light' | 'dark', string[]>>> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await findBarriers(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return { light, dark: await findBarriers(page) }
}
