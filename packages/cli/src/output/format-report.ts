import type { Io } from '../io.ts'
import { print, printJson, table } from './print.ts'
import { styleFor } from './style.ts'

interface Report {
  readonly dataset: string
  readonly metrics: object
}

/** A benchmark's report: the whole as JSON, or its metrics as a table for people. */
export function showReport(io: Io, report: Report, json: boolean): void {
  if (json) {
    printJson(io, report)
    return
  }
  const style = styleFor(io)
  const rows = flatten(report.metrics).map(([name, value]) => [name, style.bold(value)])
  print(
    io,
    style.bold(report.dataset),
    table([], rows, [1]),
    style.dim('--json has the configuration, intervals and single results as well.'),
  )
}

/** Nested numbers by the path to them: `policies.lufy.recall`. */
function flatten(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]): [string, string][] => {
    const here = path === '' ? name : `${path}.${name}`
    if (typeof inner === 'number') return [[here, formatNumber(inner)]]
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? flatten(inner, here) : []
  })
}

function formatNumber(number: number): string {
  if (Number.isInteger(number)) return String(number)
  return Math.abs(number) >= 100 ? number.toFixed(0) : number.toFixed(3)
}
