import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '@keepsake/text'
import { embeddedSignalCalibration } from './calibration.ts'
import { LUFY_WEIGHTS } from './strength.ts'
import { readFittedWeights, writeFittedWeights } from './fitted-weights.ts'

const fitted = { source: 'Ana', weights: LUFY_WEIGHTS, calibration: embeddedSignalCalibration() }

describe('fitted weights', () => {
  it('come back as they were written, with their maps', () => {
    expect(readFittedWeights(writeFittedWeights(fitted))).toEqual(fitted)
  })

  it.each([
    ['no JSON', 'weights'],
    ['another file', '{"format": "keepsake-export/1"}'],
    ['a weight that is no number', writeFittedWeights(fitted).replace('2.76', '"high"')],
    ['maps that are missing', writeFittedWeights(fitted).replace('"second"', '"third"')],
  ])('refuse %s and say how to make them', (_, text) => {
    expect(() => readFittedWeights(text)).toThrow(InvalidInputError)
    expect(() => readFittedWeights(text)).toThrow(/keepsake train fit-importance/)
  })
})
