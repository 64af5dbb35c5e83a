/** What to drop: its words, or `null` for what was just said. */
export interface ForgetRequest {
  readonly about: string | null
}

export { readForgetRequestEn } from './forget-request-en.ts'
export { readForgetRequestZh } from './forget-request-zh.ts'
