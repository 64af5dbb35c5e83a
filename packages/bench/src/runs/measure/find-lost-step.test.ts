import { expect, it } from 'vitest'
import { lostStep, type LossEvidence } from './find-lost-step.ts'

const read: LossEvidence = {
  wasExtracted: true,
  isWronglyUpdated: false,
  stillExists: true,
  wasRetrieved: true,
}

it('blames the first step at which what the answer needs was gone', () => {
  expect(lostStep(read)).toBe('misread')
  expect(lostStep({ ...read, wasRetrieved: false })).toBe('not-retrieved')
  expect(lostStep({ ...read, wasRetrieved: false, stillExists: false })).toBe('forgotten')
  expect(lostStep({ ...read, wasRetrieved: false, stillExists: false, wasExtracted: false })).toBe(
    'never-extracted',
  )
})

it('blames an update that went wrong before what came of it', () => {
  expect(lostStep({ ...read, isWronglyUpdated: true })).toBe('wrongly-updated')
  expect(lostStep({ ...read, isWronglyUpdated: true, wasRetrieved: false, stillExists: false })).toBe(
    'wrongly-updated',
  )
})

it('passes over what a system does not tell', () => {
  expect(
    lostStep({ wasExtracted: null, isWronglyUpdated: false, stillExists: null, wasRetrieved: false }),
  ).toBe('not-retrieved')
})
