import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { workerArguments } from './worker-arguments.ts'

const on = (processors: number, { options = '', buffers = [] as readonly string[] } = {}) => ({
  processors,
  options,
  buffers: () => buffers,
})

describe('what Node starts a worker with', () => {
  it('has threads of V8 for the processors that the worker has to itself, and one at least', () => {
    expect(workerArguments(2, [], on(2))).toEqual(['--v8-pool-size=1'])
    expect(workerArguments(4, [], on(2))).toEqual(['--v8-pool-size=1'])
    expect(workerArguments(4, [], on(16))).toEqual(['--v8-pool-size=4'])
  })

  it('keeps what the primary was started with, and a number of threads that somebody chose', () => {
    expect(workerArguments(2, ['--enable-source-maps'], on(2))).toEqual([
      '--enable-source-maps',
      '--v8-pool-size=1',
    ])
    expect(workerArguments(2, ['--v8-pool-size=3'], on(2))).toEqual(['--v8-pool-size=3'])
    expect(workerArguments(2, [], on(2, { options: '--no-warnings --v8_pool_size=0' }))).toEqual([])
  })

  it('has buffers counted as the heap where that can be had, once', () => {
    const buffers = ['--buffers-as-heap']
    expect(workerArguments(2, [], on(2, { buffers }))).toEqual(['--v8-pool-size=1', '--buffers-as-heap'])
    expect(workerArguments(2, ['--buffers-as-heap'], on(2, { buffers }))).toEqual([
      '--buffers-as-heap',
      '--v8-pool-size=1',
    ])
  })

  it('is understood by this Node, whichever it is', () => {
    const args = workerArguments(2, [])
    const program = [...args, '--eval', 'console.log(process.execArgv.join())']
    const said = execFileSync(process.execPath, program, { encoding: 'utf8' })
    expect(said.trim().split(',')).toEqual(expect.arrayContaining(args))
  })
})
