import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedSignalCalibration, LUFY_WEIGHTS } from '@keepsake/papers'
import { writeFittedWeights } from '@keepsake/papers'
import { describe, expect, it } from 'vitest'
import { listEntrants } from './entrants.ts'
import { changedPolicies, type PolicyChanges } from './forgetting.ts'

const NONE: PolicyChanges = { without: [], alpha: [], beta: [], gamma: [], k: [] }

describe('changed policies', () => {
  it('leave one of LUFY’s metrics out, each in a row of its own', () => {
    const settings = changedPolicies({ ...NONE, without: ['A', 'R1'] })
    expect(settings.map(({ policy }) => [policy.name, policy.formula])).toEqual([
      ['lufy-A', 'exp(−Δt/S), S = 0 A + -0.28 P + 0.44 L + 1.02 R1 + -0.012 R2'],
      ['lufy-R1', 'exp(−Δt/S), S = 2.76 A + -0.28 P + 0.44 L + 0 R1 + -0.012 R2'],
    ])
    expect(settings.every(({ preset, first, second }) => preset === 'lufy' && first + second === 2)).toBe(
      true,
    )
  })

  it('change one of MOOM’s constants, or how many are used', () => {
    const settings = changedPolicies({ ...NONE, alpha: [0], beta: [0.5], gamma: [2], k: [5] })
    expect(settings.map(({ policy, first, second }) => [policy.name, first, second])).toEqual([
      ['competition-inhibition α=0', 9, 9],
      ['competition-inhibition β=0.5', 9, 9],
      ['competition-inhibition γ=2', 9, 9],
      ['competition-inhibition k=5', 5, 5],
    ])
    expect(settings.map(({ policy }) => policy.formula.replace(/ε.*/, ''))).toEqual([
      '0 / (exp(1·age) + 1 − ',
      '0.1 / (exp(1·age) + 1 − ',
      '0.1 / (exp(2·age) + 1 − ',
      '0.1 / (exp(1·age) + 1 − ',
    ])
  })

  it('take fitted weights from their file', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'keepsake-weights-')), 'weights.json')
    const weights = { ...LUFY_WEIGHTS, importance: 5 }
    const calibration = embeddedSignalCalibration()
    writeFileSync(file, writeFittedWeights({ source: 'test', weights, calibration }))
    const [setting] = changedPolicies({ ...NONE, weights: file })
    expect([setting?.policy.name, setting?.policy.formula]).toEqual([
      'lufy-fitted',
      expect.stringContaining('+ 5 L +'),
    ])
  })

  it('stand beside the policies as published', () => {
    const signals = () => ({ arousal: null, surprise: null, importance: null })
    const changed = changedPolicies({ ...NONE, without: ['L'] })
    const names = listEntrants({ signals, heldOut: null, seed: 1, randomSeeds: 0, changed }).map(
      ({ name }) => name,
    )
    expect(names).toEqual(expect.arrayContaining(['lufy', 'lufy-L', 'keepsake']))
  })
})
