import { existsSync } from 'node:fs'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import { onTestFinished } from 'vitest'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Chromium as Debian installs it, or what `KEEPSAKE_CHROMIUM` names. */
const EXECUTABLE = [process.env['KEEPSAKE_CHROMIUM'] ?? '', ...PLACES].find((path) => existsSync(path))

/** Why tests in a browser are left out; `null` where they can run. */
export const NO_BROWSER =
  EXECUTABLE === undefined
    ? 'there is no Chromium: apt-get install chromium, or name one with KEEPSAKE_CHROMIUM'
    : null

/** For the names of tests that are left out without a browser. */
export const REASON = NO_BROWSER === null ? '' : ` (left out: ${NO_BROWSER})`

/** A headless browser. */
export async function openBrowser(): Promise<Browser> {
  if (EXECUTABLE === undefined) throw new Error(NO_BROWSER ?? 'there is no Chromium')
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', '--disable-gpu'] })
}

/** A page that notes what it should never do. */
export interface WatchedPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of scripts, and what the content-security policy refused. */
  readonly faults: readonly string[]
  /** Hosts that were asked. */
  readonly hosts: ReadonlySet<string>
}

/** Opens a page of its own, with nothing kept from others, until the test ends. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    ...options,
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const faults: string[] = []
  const hosts = new Set<string>()
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    const text = message.text()
    if (/Content Security Policy|TrustedHTML|TrustedScript/i.test(text)) faults.push(text)
  })
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  return { page, context, faults, hosts }
}
