import { describe, expect, it } from 'vitest'
import { renderHtml } from './render-html.ts'
import type { ReportRun, WrongAnswer } from './report-run.ts'
import { SAMPLE_NAMES, samplePolicies, sampleRun, sampleSummary } from './testing/sample-runs.ts'

const HOSTILE = `</details></script><script>alert(1)</script><img src="http://x.example/a" onerror='alert(2)'>&"'\u202E`

function runOf(system: string, level: number, wrong: number, answer: Partial<WrongAnswer> = {}): ReportRun {
  const wrongAnswers = Array.from({ length: Math.min(wrong, 200) }, (_, index): WrongAnswer => ({
    conversation: 'c1',
    question: `q${index}`,
    category: '事实',
    text: '小雨把钢琴放在哪里?',
    reference: '窗边。',
    answer: '客厅。',
    verdict: 'hallucinated',
    reason: '',
    lost: 'forgotten',
    retrieved: ['小雨有一架钢琴。'],
    context: '',
    failure: null,
    ...answer,
  }))
  const log = { folder: '', questionCount: 200, wrong, wrongAnswers, failures: [], done: 1, remarks: [] }
  return { ...sampleRun(sampleSummary({ system, level })), log }
}

const systems = (count: number): ReportRun[] =>
  SAMPLE_NAMES.slice(0, count).map((name, index) => runOf(name, 0.3 + 0.05 * index, 3))

const policies = (names: readonly string[]): ReportRun[] =>
  samplePolicies(names.map((name) => `policy ${name}`)).map(sampleRun)

describe('renderHtml', () => {
  it('is one file that asks for nothing and lets no script run but its own', () => {
    const html = renderHtml([...systems(2), ...policies(['a', 'b'])])
    expect(html).not.toMatch(/(?:src|href|url|@import)\s*[=(]?\s*["'(]?\s*(?:https?:)?\/\//)
    expect(html).not.toMatch(/<(?:link|iframe|img|object|embed)\b/)
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none'; [^"]*script-src 'sha256-/)
    expect(html.match(/<script/g)).toHaveLength(1)
  })

  it('keeps hostile memories, answers, names and settings inert', () => {
    const run = runOf('x', 0.5, 2, {
      text: HOSTILE,
      reference: HOSTILE,
      answer: HOSTILE,
      reason: HOSTILE,
      retrieved: [HOSTILE],
      failure: HOSTILE,
    })
    const summary = { ...run.summary, system: HOSTILE, command: HOSTILE, config: { note: HOSTILE } }
    const html = renderHtml([{ ...run, summary }, runOf('y', 0.4, 1), ...policies([HOSTILE, 'b'])])
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).not.toContain('<img')
    // Quoted attributes apart: there it is a word like others.
    expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\sonerror=/)
    expect(html).not.toContain('\u202E')
    expect(html.match(/<details/g)?.length).toBe(html.match(/<\/details>/g)?.length)
    expect(html).toContain('&lt;/details&gt;&lt;/script&gt;&lt;script&gt;alert(1)')
  })

  it.each([1, 2, 12])('shows every value of %i systems as a number', (n) => {
    const html = renderHtml([...systems(n), ...policies(SAMPLE_NAMES.slice(0, n))])
    expect(html).not.toMatch(/NaN|undefined|Infinity|\[object/)
  })

  it('shows the first wrong answers of each run, and says how many are left out', () => {
    const html = renderHtml([runOf('alpha', 0.5, 120)], { wrongAnswers: 10 })
    expect(html.match(/<details class="answer">/g)).toHaveLength(10)
    expect(html).toContain('10 of 120 wrong answers; 110 are left out.')
    expect(html).toContain('<dt>Lost at</dt><dd>forgotten</dd>')
  })

  it('gives every table a caption, and every wide one a region that keys can scroll', () => {
    const html = renderHtml(systems(3))
    const tables = html.match(/<table>/g)?.length ?? 0
    expect(html.match(/<caption/g)).toHaveLength(tables)
    expect(html.match(/class="scroll" role="region" aria-label="[^"]+" tabindex="0"/g)).toHaveLength(tables)
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, link] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(link)
  })
})
