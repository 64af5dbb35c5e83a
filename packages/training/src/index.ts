/** Learning from what a memory holds: who may be learned from, and examples for trainers. */
export { readConsent, withholds, writeConsent, type Consent } from './consent/consent.ts'
