/**
 * The engine's names, errors and metadata rules without the engine itself, for programs that read options or files, print help or handle
 * errors before they open a memory. The values equal those of `keepsake`.
 *
 * @example
 * import { KeepsakeError, PRESET_NAMES } from 'keepsake/names'
 * if (!PRESET_NAMES.includes(name)) console.error(`There are: ${PRESET_NAMES.join(', ')}`)
 */
export { KeepsakeError, type ErrorCode, type ErrorDetails } from '@keepsake/text/names'
export { ClosedError } from './errors/closed-error.ts'
export { InvalidInputError } from '@keepsake/text/names'
export { ModelError, type ModelErrorCode } from '@keepsake/text/names'
export { NotFoundError } from './errors/not-found-error.ts'
export { NotPossibleError } from './errors/not-possible-error.ts'
export { StoreError, type StoreErrorCode } from './errors/store-error.ts'
export { TurnConflictError } from './errors/turn-conflict-error.ts'

export { readMetadata } from './metadata/read-metadata.ts'

export { CHANGE_EVENTS } from './inspect/change-events.ts'
export {
  GROUNDING_LABELS,
  MEMORY_FORMS,
  MEMORY_STATUSES,
  MEMORY_TYPES,
  type GroundingLabel,
  type MemoryForm,
  type MemoryStatus,
  type MemoryType,
} from './memories/memory.ts'
export { MODEL_TASKS, type ModelTask } from './models/model-task.ts'
export { PRESET_NAMES, type PresetName } from './presets/preset-names.ts'
