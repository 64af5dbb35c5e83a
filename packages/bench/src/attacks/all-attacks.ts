import type { Attack } from './attack.ts'
import { floodAttacks } from './flood-attacks.ts'
import { slowAttacks } from './slow-attacks.ts'
import { textAttacks } from './text-attacks.ts'

/** Everything that one key is let loose with. */
export const ATTACKS: readonly Attack[] = [...textAttacks, ...floodAttacks, ...slowAttacks]
