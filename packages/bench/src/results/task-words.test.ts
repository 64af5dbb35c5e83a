import { describe, expect, it } from 'vitest'
import { FIGURE_TASKS } from '../log/figure.ts'
import { plainWords, taskTitle, unitOf } from './task-words.ts'

describe('the words for tasks', () => {
  it('have a title for every task', () => {
    for (const task of FIGURE_TASKS) expect(taskTitle(task)).not.toBe('')
  })

  it('read a plain metric’s unit from its name', () => {
    expect(['p95_ms', 'disk_bytes', 'input_tokens', 'any_evidence', 'kills'].map(unitOf)).toEqual([
      'milliseconds',
      'bytes',
      'tokens',
      'share',
      'count',
    ])
    expect(plainWords('load', 'p95_ms')).toMatchObject({ label: 'p95', headline: 'p95' })
    expect(plainWords('retrieval', 'hit@5')).toBeNull()
  })
})
