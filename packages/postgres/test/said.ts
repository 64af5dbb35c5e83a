/** Where what people said lies. */
export const SAID = [
  'turns',
  'sessions',
  'operations',
  'payloads',
  'memories',
  'memory_documents',
  'evidence',
  'progress',
  'images',
  'candidates',
  'candidate_words',
  'candidates_kept',
]
