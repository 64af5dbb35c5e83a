export {
  attachmentsIn,
  readAttachment,
  textWithAttachments,
  withAttachments,
  type AttachmentInput,
  type ReadAttachment,
} from './attachments/read-attachment.ts'
export {
  attachmentLine,
  blankAttachments,
  readAttachments,
  withoutAttachments,
  type Attachment,
  type AttachmentKind,
} from './attachments/attachment-lines.ts'
export { readOwnWords } from './attribution/read-own-words.ts'
export { LONGEST_TALK, isMostlyUnspoken, maskUnspoken } from './attribution/mask-unspoken.ts'
export {
  findCorrected,
  findFitting,
  fitsFrame,
  namesEnd,
  narrowValues,
  replaceWords,
} from './corrections/find-corrected.ts'
export { readCorrection, type Correction } from './corrections/read-correction.ts'
export { describeValue } from './errors/describe-value.ts'
export { InvalidInputError } from './errors/invalid-input-error.ts'
export { KeepsakeError, type ErrorCode, type ErrorDetails } from './errors/keepsake-error.ts'
export { didYouMean, requireKnownOptions } from './errors/known-options.ts'
export { ModelError, type ModelErrorCode } from './errors/model-error.ts'
export { isHardlyRequest, readIntent, topicOfRequest, type Intent } from './intents/read-intent.ts'
export {
  compareRead,
  compareValues,
  isUpdate,
  readValue,
  type ReadValue,
  type ValueRelation,
} from './keys/compare-values.ts'
export {
  extendKeyTable,
  findKey,
  opposedKeys,
  type KeyTable,
  type MergeClass,
  type PersonaKey,
  type PersonaKeyInput,
} from './keys/key-table.ts'
export { keyTable } from './keys/built-in-keys.ts'
export { escapePattern, pattern } from './pattern.ts'
export { holdsAnswer, readWantedAnswer, type AnswerKind, type WantedAnswer } from './question/answer-kinds.ts'
export { fitsQuestion } from './question/fits-question.ts'
export { readAskedPerson, selectStatementsAbout, type AskedPerson } from './question/asked-person.ts'
export { readAskedRelation } from './question/asked-relation.ts'
export { namesOwnThing, readAskedName, readAskedThing } from './question/asked-thing.ts'
export { asksSeveral } from './question/asks-several.ts'
export { asksChange, asksPast } from './question/asks-past.ts'
export { isAddressedAs, isGivenAs, readPossibleNames } from './question/read-addressing.ts'
export { wordsOfChange } from './question/read-changing.ts'
export { readKind, type QuestionKind, type Side } from './question/read-kind.ts'
export type { Matter } from './question/read-matters.ts'
export { callsBy, joinNames, withPronouns, type TalkNames } from './question/read-names.ts'
export {
  asksAdvice,
  asksOfAgent,
  readAsked,
  namesOf,
  readQuestion,
  type Participant,
  type ReadOptions,
  type ReadQuestion,
} from './question/read-question.ts'
export { readTimeRanges, type TimeRange } from './question/read-time-range.ts'
export { readWantedName, statesName } from './question/states-name.ts'
export {
  asksWish,
  readStatements,
  statesOnly,
  withoutWishes,
  type Statement,
} from './question/read-statements.ts'
export {
  readLeadingProperty,
  readWantedProperty,
  tellsProperty,
  readPropertyTerms,
  withoutProperty,
} from './question/wanted-properties.ts'
export { findMisread, openRules } from './rules/check-rules.ts'
export { CHINESE } from './rules/chinese/language.ts'
export { mayDropSubject } from './rules/chinese/spoken-forms.ts'
export { mayDropI } from './rules/english/casual-forms.ts'
export { ENGLISH } from './rules/english/language.ts'
export {
  findNamingTerms,
  readReturn,
  showsReturn,
  type Ending,
  type EndingKind,
} from './rules/matching/ending.ts'
export type { Language } from './rules/matching/language.ts'
export type { Finding } from './rules/matching/read-facts.ts'
export type { FactRule, RequestRule, Rule } from './rules/matching/rule.ts'
export { mayLabel, spellOutLabel } from './rules/matching/spell-out.ts'
export { spellOwnTables } from './attribution/own-tables.ts'
export { readAnswer, type Answer } from './rules/read-answer.ts'
export { BY_OWN_NAME } from './rules/instruction-matters.ts'
export { endsInstruction, readInstruction, type StandingInstruction } from './rules/read-instruction.ts'
export {
  conceptOf,
  findKeptTerms,
  isOfAnother,
  meansLastWords,
  readPlainRequest,
  withoutNonRequests,
} from './rules/plain-requests.ts'
export { readPartOfLife, namesOfPart, readStatedKind, type StatedKind } from './rules/stated-kinds.ts'
export { RuleBook, languageOfTalk, shippedRules } from './rules/rule-book.ts'
export { asksForSecret } from './secrets/mask-reply.ts'
export { maskSecrets, type MaskedSecret, type MaskedText } from './secrets/mask-secrets.ts'
export type { AskedWord } from './synonyms/read-words.ts'
export {
  MOST_WORDS,
  RELATED_TABLE_MAGIC,
  RELATED_TABLE_VERSION,
  WEIGHT_STEPS,
  decodeRelatedTable,
  relatedTableSections,
  rowOf,
} from './synonyms/related-table.ts'
export { relatedTerms, type RelatedTerm } from './synonyms/related-terms.ts'
export { ANALYSER_VERSION, analyseText, findTerms, findTermsAgain } from './terms/analyse-text.ts'
export { estimateTokens, type CountTokens } from './terms/count-tokens.ts'
export { cutToFit, packToFit } from './terms/cut-to-fit.ts'
export { isChinese, isJapanese } from './terms/other-scripts.ts'
export {
  isChineseFunctionCharacter,
  isEnglishFunctionWord,
  isOfOtherLanguage,
} from './terms/function-words.ts'
export { isBlank } from './terms/is-blank.ts'
export { normaliseText } from './terms/normalise-text.ts'
export { onOneLine } from './terms/on-one-line.ts'
export {
  LONGEST_NAME,
  LONGEST_TEXT,
  cleanId,
  faultOfId,
  readId,
  readName,
  readText,
} from './terms/read-text.ts'
export { segmentWords } from './terms/segment-words.ts'
export { simplifyChinese, writeAsSaid } from './terms/simplify-chinese.ts'
export { splitSentences, type Sentence } from './terms/split-sentences.ts'
export { SpokenText, withoutThinking } from './terms/spoken-text.ts'
export { tellName } from './terms/tell-name.ts'
export { TextGate } from './terms/text-gate.ts'
export { TextTrait, readTraits } from './terms/text-traits.ts'
export { readDate, type Span } from './time/read-date.ts'
export { loadDateReader, type DateReader, type NamedDate } from './time/read-dates.ts'
export { findImplausible, parseIsoTime, readMoment, readTime, readTimeZone } from './time/read-time.ts'
export { loadTimeResolver } from './time/resolve-time.ts'
export { zoneOffset } from './time/zone-offset.ts'
export { embeddedCharacterTable } from './vectors/character-table.ts'
export { cosine } from './vectors/cosine.ts'
export type { EmbeddedModel, EmbeddingModel } from './vectors/embedding-model.ts'
export { hashText } from './vectors/hash-features.ts'
export { normaliseVector } from './vectors/normalise-vector.ts'
export { parsePackagedData, readPackagedData, readPackagedFile } from './terms/read-packaged-data.ts'
export { isUnspaced, splitClitics, splitText } from './vectors/split-text.ts'
export {
  STEPS_PER_BIT,
  WORD_TABLE_HEADER_BYTES,
  WORD_TABLE_MAGIC,
  WORD_TABLE_VERSION,
  decodeWordTable,
  padded,
  type WordTable,
} from './vectors/word-table.ts'
export { WORD_TABLE_FILE, embeddedWordTable, embeddedWordVectors } from './vectors/word-vectors.ts'
export { MEMORY_TYPES, type MemoryType } from './keys/memory-types.ts'
export { segmentChinese } from './vectors/chinese-words.ts'
