import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { done, ingestion } from '../log/testing/log-entries.ts'
import type { LogEntry } from '../log/log-entry.ts'
import { fingerprintOf, type RunManifest } from '../results/run-summary.ts'
import { RunError } from './run-error.ts'
import { RunFolder } from './run-folder.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'run-folder-')), 'run')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const manifest: RunManifest = {
  format: 2,
  benchmark: 'run',
  dataset: 'own',
  dataHash: 'abc',
  systems: ['alpha'],
  config: { b: 1, a: { d: 2, c: 3 }, contextTokens: 1_000, judgeVersion: '1' },
  reader: 'extractive',
  judge: 'deterministic',
  tasks: ['retrieval'],
  command: 'keepsake bench run',
  machine: null,
  startedAt: '2026-01-01T00:00:00.000Z',
}
const open = (wanted: RunManifest = manifest): RunFolder => RunFolder.open(folder, wanted, 'always')

const entriesOf = (conversation: string, isDone = true): LogEntry[] => [
  ingestion({ conversation }),
  ...(isDone ? [done({ conversation })] : []),
]

it('goes on after the conversations that are done, whatever a kill left behind', async () => {
  const begun = open()
  await begun.append(entriesOf('one'))
  await begun.append(entriesOf('two', false))
  appendFileSync(join(folder, 'log.jsonl'), '{"entry":"ingesti')
  const again = open({ ...manifest, startedAt: '2026-02-02T00:00:00.000Z' })
  expect([...again.done]).toEqual(['one'])
  expect(again.manifest.startedAt).toBe(manifest.startedAt)
  expect(again.entries()).toEqual(entriesOf('one'))
  await again.append(entriesOf('two'))
  expect(again.entries()).toEqual([...entriesOf('one'), ...entriesOf('two')])
})

it('refuses a folder that holds another run, and says what differs', () => {
  open()
  expect(() =>
    open({ ...manifest, dataHash: 'def', config: { ...manifest.config, contextTokens: 500 } }),
  ).toThrow(/contains another run \(other contextTokens, dataHash\)/)
})

it('refuses a folder that another process measures, but not one that a killed process left', () => {
  open()
  const lock = join(folder, 'process.lock')
  writeFileSync(lock, String(process.ppid))
  expect(() => open()).toThrow(`is being measured by process ${process.ppid}`)
  writeFileSync(lock, '999999999')
  const taken = open()
  expect(readFileSync(lock, 'utf8')).toBe(String(process.pid))
  taken.finish([])
  expect(existsSync(lock)).toBe(false)
})

it('says which file is damaged, and loses nothing by it', async () => {
  const begun = open()
  await begun.append(entriesOf('one'))
  const log = join(folder, 'log.jsonl')
  const damaged = `{"entry":\n${readFileSync(log, 'utf8')}`
  writeFileSync(log, damaged)
  expect(() => open()).toThrow(RunError)
  expect(() => open()).toThrow(/log\.jsonl, line 1 is damaged/)
  expect(readFileSync(log, 'utf8')).toBe(damaged)
  writeFileSync(join(folder, 'run.json'), '{"format":2}')
  expect(() => open()).toThrow(/run\.json: `benchmark`: .*Remove the folder to begin again/)
})

it('goes on as the measurement allows: not with times, and not with what is over', async () => {
  const step = { entry: 'step', step: 'one', results: [], records: null } as const
  await open().append([step])
  expect([...RunFolder.open(folder, manifest, 'until-finished').done]).toEqual(['one'])
  open().finish([])
  expect([...open().done]).toEqual(['one'])
  expect([...RunFolder.open(folder, manifest, 'until-finished').done]).toEqual([])
  await open().append([step])
  expect([...RunFolder.open(folder, manifest, 'never').done]).toEqual([])
  expect(existsSync(join(folder, 'log.jsonl'))).toBe(false)
})

it('keeps apart what is written at the same time', async () => {
  const begun = open()
  const long = (conversation: string): LogEntry[] =>
    Array.from({ length: 10_000 }, () => entriesOf(conversation, false)[0]).flatMap((entry) => entry ?? [])
  await Promise.all(['one', 'two', 'three'].map((name) => begun.append(long(name))))
  const written = begun.entries().map((entry) => (entry.entry === 'step' ? '' : entry.conversation))
  expect(written).toEqual(['one', 'two', 'three'].flatMap((name) => long(name).map(() => name)))
})

it('names what is measured by all that decides it, and not by when', () => {
  const later = {
    ...manifest,
    startedAt: 'later',
    command: 'other',
    config: { judgeVersion: '1', contextTokens: 1_000, a: { c: 3, d: 2 }, b: 1 },
  }
  expect(fingerprintOf(later)).toBe(fingerprintOf(manifest))
  const other = { ...manifest, config: { ...manifest.config, judgeVersion: '2' } }
  expect(fingerprintOf(other)).not.toBe(fingerprintOf(manifest))
  expect(existsSync(folder)).toBe(false)
})
