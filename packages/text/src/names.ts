/** Errors, names and readers of input that programs need before they load any table of words. */
export { describeValue } from './errors/describe-value.ts'
export { InvalidInputError } from './errors/invalid-input-error.ts'
export { KeepsakeError, type ErrorCode, type ErrorDetails } from './errors/keepsake-error.ts'
export { ModelError, type ModelErrorCode } from './errors/model-error.ts'
export { attachmentsIn, textWithAttachments, type AttachmentInput } from './attachments/read-attachment.ts'
export { cleanId, faultOfId, readId } from './terms/read-text.ts'
export { MEMORY_TYPES, type MemoryType } from './keys/memory-types.ts'
export { DEEPEST_METADATA, isObject, readMetadata, type Json, type Metadata } from './errors/read-metadata.ts'
