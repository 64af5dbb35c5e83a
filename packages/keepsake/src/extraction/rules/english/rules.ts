import type { FactRule } from '../matching/rule.ts'
import { BEING } from './rules-of-being.ts'
import { DOING } from './rules-of-doing.ts'
import { MINE } from './rules-of-mine.ts'

/** From the particular to the general. */
export const ENGLISH_RULES: readonly FactRule[] = [...BEING, ...DOING, ...MINE]
