import { expect, it } from 'vitest'
import { confidenceFigures, type ConfidenceCase } from './confidence-figures.ts'

const asked = (
  answerable: boolean,
  confidence: number | null,
  failure: string | null = null,
): ConfidenceCase => ({
  person: 'ana',
  answerable,
  confidence,
  failure,
})

it('ranks what was said above what never was, ties a half', () => {
  // 0.9 beats both; 0.5 ties 0.5 and beats 0.1: (2 + 1.5) / 4
  const questions = [asked(true, 0.9), asked(true, 0.5), asked(false, 0.5), asked(false, 0.1)]
  const [auroc, ece] = confidenceFigures('retrieval', questions, 1)
  expect(auroc).toMatchObject({ metric: 'auroc', value: 0.875, count: 4, interval: null, judge: null })
  // bins 0.1, 0.5 (two), 0.9: gaps 0.1, 0, 0.1, of 1, 2, 1 of four
  expect(ece?.value).toBeCloseTo(0.05, 12)
})

it('takes a failed retrieval for wholly wrong', () => {
  // the failed one is taken for surely unsaid: it loses to both, 0.9 beats both
  const questions = [asked(true, 0.9), asked(true, Number.NaN, 'gone'), asked(false, 0.5), asked(false, 0.1)]
  expect(confidenceFigures('retrieval', questions, 1)[0]?.value).toBe(0.5)
})

it('says nothing of a system without confidences, or where all questions are of a kind', () => {
  expect(confidenceFigures('answering', [asked(true, null), asked(false, null)], 1)).toEqual([])
  expect(confidenceFigures('answering', [asked(true, null, 'gone'), asked(false, null)], 1)).toEqual([])
  expect(confidenceFigures('answering', [asked(true, 0.4), asked(true, 0.6)], 1)).toEqual([])
})
