// Exports the public interface of the search package.
export {
  BM25_ONLY,
  COSINE_ONLY,
  HYBRID,
  RETRIEVAL_PARTS,
  withoutParts,
  type RetrievalPart,
  type RetrievalRecipe,
} from './recipe.ts'
export { SearchIndex, type IndexSpeaker } from './search-index.ts'
export {
  DocumentTrait,
  type Evidence,
  type LikelyAnswer,
  type RelatedTerm,
  type RelatedWord,
  type Role,
  type SearchDocument,
  type SearchHit,
  type SearchOptions,
  type SearchQuery,
  type SearchResult,
  type SessionHit,
  type StoredDocument,
  type TimeRange,
} from './search-types.ts'
