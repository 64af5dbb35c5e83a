import { expect, it } from 'vitest'
import { compareValues, type ValueRelation } from './compare-values.ts'

it.each<[fresh: string, known: string, ValueRelation]>([
  ['the Beatles', 'Beatles', 'same'],
  ['Lyón', 'LYON!', 'same'],
  ['hikes', 'hiking', 'same'],
  ['rock-climbing', 'rock climbing', 'same'],
  ['climbing rock', 'rock climbing', 'same'],
  ['Lyon', 'Lyon, France', 'says-less'],
  ['Lyon, France', 'Lyon', 'says-more'],
  ['Lyon', 'Paris', 'different'],
  ['Lyon, Texas', 'Lyon, France', 'different'],
  ['her', 'her', 'same'],
  ['her', 'his', 'different'],
  ['Lyon', 'her', 'different'],
  ['', '', 'same'],
  ['', 'Lyon', 'different'],
  ['绿茶', '绿茶', 'same'],
  ['绿茶', '红茶', 'different'],
])('%j stands to %j as %s', (fresh, known, relation) => {
  expect(compareValues(fresh, known)).toBe(relation)
})
