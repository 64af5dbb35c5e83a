import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { LogEntry } from './log-entry.ts'
import { RunError } from './run-error.ts'
import { RunFolder } from './run-folder.ts'
import { fingerprintOf, type RunManifest } from './run-manifest.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'run-folder-')), 'run')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const manifest: RunManifest = {
  format: 1,
  harness: '1',
  dataset: 'own',
  dataHash: 'abc',
  limit: null,
  system: 'alpha',
  config: { b: 1, a: { d: 2, c: 3 } },
  model: null,
  embedding: null,
  likeness: 'words',
  reader: { name: 'extractive', version: '1' },
  judge: { name: 'deterministic', version: '1' },
  ownAnswers: false,
  tasks: ['retrieval'],
  contextTokens: 1_000,
  command: 'keepsake bench run',
  startedAt: '2026-01-01T00:00:00.000Z',
}

const entriesOf = (conversation: string, isDone = true): LogEntry[] => [
  { entry: 'ingestion', conversation, person: 'p', session: 's1', turns: 2, milliseconds: 1, failure: null },
  ...(isDone
    ? [
        {
          entry: 'done' as const,
          conversation,
          person: 'p',
          usage: { calls: 0, inputTokens: 0, outputTokens: 0, embeddingRequests: 0 },
          ingestMs: 1,
          memories: 0,
          milliseconds: 2,
        },
      ]
    : []),
]

it('goes on after the conversations that are done, whatever a kill left behind', async () => {
  const begun = RunFolder.open(folder, manifest)
  await begun.append(entriesOf('one'))
  await begun.append(entriesOf('two', false))
  appendFileSync(join(folder, 'log.jsonl'), '{"entry":"ingesti')
  const again = RunFolder.open(folder, { ...manifest, startedAt: '2026-02-02T00:00:00.000Z' })
  expect([...again.done]).toEqual(['one'])
  expect(again.manifest.startedAt).toBe(manifest.startedAt)
  expect(again.entries()).toEqual(entriesOf('one'))
  await again.append(entriesOf('two'))
  expect(again.entries()).toEqual([...entriesOf('one'), ...entriesOf('two')])
})

it('refuses a folder that holds another run, and says what differs', () => {
  RunFolder.open(folder, manifest)
  expect(() => RunFolder.open(folder, { ...manifest, dataHash: 'def', contextTokens: 500 })).toThrow(
    /holds another run \(other dataHash, contextTokens\)/,
  )
})

it('says which file is damaged, and loses nothing by it', async () => {
  const begun = RunFolder.open(folder, manifest)
  await begun.append(entriesOf('one'))
  const log = join(folder, 'log.jsonl')
  const damaged = `{"entry":\n${readFileSync(log, 'utf8')}`
  writeFileSync(log, damaged)
  expect(() => RunFolder.open(folder, manifest)).toThrow(RunError)
  expect(() => RunFolder.open(folder, manifest)).toThrow(/log\.jsonl, line 1 is damaged/)
  expect(readFileSync(log, 'utf8')).toBe(damaged)
  writeFileSync(join(folder, 'run.json'), '{"format":1}')
  expect(() => RunFolder.open(folder, manifest)).toThrow(/run\.json lacks a good `harness`/)
})

it('keeps apart what is written at the same time', async () => {
  const begun = RunFolder.open(folder, manifest)
  const long = (conversation: string): LogEntry[] =>
    Array.from({ length: 10_000 }, () => entriesOf(conversation, false)[0]).flatMap((entry) => entry ?? [])
  await Promise.all(['one', 'two', 'three'].map((name) => begun.append(long(name))))
  expect(begun.entries()).toEqual(['one', 'three', 'two'].flatMap(long))
})

it('keeps that a system gives no confidence', async () => {
  const begun = RunFolder.open(folder, manifest)
  const [ingestion] = entriesOf('one')
  if (ingestion === undefined) throw new Error('no entry')
  const recall: LogEntry = {
    entry: 'retrieval',
    conversation: 'one',
    person: 'p',
    question: 'q1',
    text: 'Where?',
    category: 'c',
    answerable: true,
    confidence: Number.NaN,
    milliseconds: 1,
    units: [],
    evidence: ['t1'],
    scores: { mrr: 0 },
    failure: null,
  }
  await begun.append([recall])
  expect(begun.entries()).toEqual([recall])
})

it('names what is measured by all that decides it, and not by when', () => {
  const later = { ...manifest, startedAt: 'later', command: 'other', config: { a: { c: 3, d: 2 }, b: 1 } }
  expect(fingerprintOf(later)).toBe(fingerprintOf(manifest))
  expect(fingerprintOf({ ...manifest, judge: { name: 'deterministic', version: '2' } })).not.toBe(
    fingerprintOf(manifest),
  )
  expect(existsSync(folder)).toBe(false)
})
