// All signs of patterns, and the slots `about` and `whom`, are explained in ../matching/rule.ts.
// How to read a pattern, such as 'please <forget> [all] [about] {whom:them} .', whose test sentence 'Please forget about [her].' follows it:
// `<forget>` is a phrase of request-phrases.ts. `[all]` may be absent. `{whom:them}` takes the phrase `them` as the slot `whom`.
// ` .` is the end of the sentence. `no` lists sentences that the rule must not match.
import type { RequestRule } from '../matching/rule.ts'

/** Patterns of earlier topics: “That patient I told you about, bay three”, “what I told you about Tom”. */
export const ENGLISH_MATTERS = [
  '<toldabout> {about:1..20} .',
  '(that|the|this|those) {about:1..6} [that] I [have] [just|ever] (told you about|mentioned|brought up) [to you] [,] [{more:1..16}] .',
]

/** Patterns of requests: “Forget what I just said”, “forget that I live in Lyon”. */
export const ENGLISH_REQUESTS: readonly RequestRule[] = [
  {
    // Resolves a pronoun to a person who was named before.
    forget: {
      'please <forget> [all] [about] {whom:them} .': 'Please forget about [her].',
      '<unknown> know [anything] about {whom:them} [anymore|any more|any longer] .':
        "I don't want you to know about [her] anymore.",
      '<regretted> {whom:them} .': 'I should never have told you about [him].',
      '<drop> <toldabout> {whom:them} .': 'Delete everything I told you about [her].',
    },
    no: "Forget him! I don't want you to call him. She's a closed person.",
  },
  {
    forget: {
      '<drop> <just> .': 'Forget I said anything.',
      '<forget> the <last> (thing|bit|sentence|comment) .': 'Forget the last bit.',
      'never mind <just> .': 'Never mind what I said.',
      '(do not|never) <hold> (<this>|<just>) .': "don't remember this",
      '<rather> forgot <just> .': "I'd rather you forgot what I just said.",
      '(<rather> <unkept>|(<unwanted>|<needless>) <keep>) <this> .': 'No need to remember that.',
      '<unsaid> <say> (that|this|it|anything|<lastbit>) [at all] .': "Let's pretend I never said that.",
      '(pretend|act (like|as if)) you (never|did not) (hear|heard) <this> .': 'Pretend you never heard that.',
      '(strike|scratch) that .': 'Strike that.',
      '(strike|scratch|delete|erase|remove|take|wipe) (that|this|it|<just>) <records> .':
        'Strike that from the record, please.',
      '(that|this|it|what I [just] (said|told you)|all [of] (that|this)) <stays> .':
        'What I just told you is strictly off the record.',
      '[(this|that) (is|was)] [strictly] off the record .': 'Off the record, please.',
      'keep <this> off the record .': 'Please keep that off the record.',
      '<dropit> .': 'Just forget it ever came up.',
      'you (never|did not) (hear|heard) (<this>|a (word|thing)|that name) .': 'You never heard that.',
      '[<pretending>] (we never had this (conversation|talk|chat)|this (conversation|talk|chat) never happened) .':
        'This conversation never happened.',
      '<pretending> <this> <undone> .': "Let's pretend that never happened.",
      'I [want to|would like to|have to] take (back <just>|<just> back) .': 'I take back what I just said.',
      '(that|this|it) (is|was) <secret> <nosaving> .': "That's private, please don't store it.",
    },
    no: `Forget that! Strike that, I meant Tuesday. Pretend I'm a pirate. The interview was off the record.
      Forget the last bus. Delete the last line. Take that last exit. Please remember this. Could you keep that? I need you to remember this. You never heard that? You never heard that song.
      It never happened.`,
  },
  {
    forget: {
      '<drop> [that] I [have] [ever|even|just] <brought> {about:1..40} .': 'Forget I ever mentioned [Priya].',
      '<drop> (<toldabout>|<stated>) {about:1..40} .': 'Forget that [I live in Lyon].',
      '(erase|delete|remove|drop|wipe|strike|take|scrub|purge|clear) [my|the|our] {about:1..12} <records> .':
        'Remove my [passport] from your memory.',
      'please <forget> ([all] about|&<mine>) {about:1..40} .':
        'Would you mind forgetting about [the wedding]?',
      '<forget> [all] about &<mine> {about:1..40} .': 'Forget about [my ex].',
      '<drop> my {about:particulars} .': 'Remove my [medication].',
      '<never> <keep> (<toldabout>|<stated>|about) {about:1..40} .': "Don't keep what I said about [Priya].",
      '(please <never> <keep>|<never> <storing>) &<my> {about:1..40} .': "Don't store [my address].",
      'never mind [about] !(the fact) <toldabout> {about:1..40} .':
        'Never mind what I said about [the trip].',
      '(<rather> (<unkept>|<erased>)|<unwanted> <keep>) [<toldabout>|<stated>|about] {about:1..40} .':
        "I don't want you to remember what I said about [Priya].",
      '<unsaid> <telling> {about:1..40} .': "Pretend I never said anything about [Priya], she'd be upset.",
      '{about:1..12} (is|are) <secret> <nosaving> .': "[My salary] is private, don't store it.",
      '(the (part|thing|bit) about|what I [just] (said|told you) about) {about:1..12} <stays> .':
        'What I told you about [Priya] is off the record.',
      'keep [what I (said|told you) about] {about:1..12} off the record .':
        'Keep what I said about [Priya] off the record.',
      'please <forget> [all] [about] &(the|that|this|those|these|how|when|why|where) {about:1..40} .':
        'Please forget [the loan from Tom].',
      '<forget> [all] [about] &((the|that|this|those|these) _* (I|my|me|we|our)) {about:1..40} .':
        'Forget [the loan I took out].',
      '<topical> {about:1..20} (,|;) [<interjection>|,]* <dropit> [<nomore>] .':
        'The thing with [my sister], please just forget it.',
    },
    no: `You never heard about Tom? I never told you about my trip. I wish I had never told my mum about the baby.
      Don't forget that I live in Lyon. Forget about it! Forget about dinner, let us just order in.
      Forget about Tom, let's get pizza. Forget Paris, we're going to Rome. I forgot that she lives in Lyon.
      She told me to forget what I said about Tom. If I cry, forget what I said about Tom.
      Don't remember that film. Don't bring up dessert yet.`,
  },
  {
    forget: {
      '<pretending> {about:1..20} <undone> .': 'Pretend [the fight with Tom] never happened.',
      'you (never|did not) (hear|heard) (anything|a (word|thing)|what I said) about {about:1..20} .':
        'You never heard a word about [Tom].',
      '<unknown> know [anything] (about|that &(I|my|we|our)) {about:1..20} [anymore|any more|any longer] .':
        "I don't want you to know about [my ex].",
      '<regretted> {about:1..20} [to you] .': "I wish I'd never told you about [Tom].",
      'I [want to|would like to|have to] take back <toldabout> {about:1..20} .':
        'I take back what I said about [Tom].',
      '(get|keep|leave) {about:1..12} (out of|off) your (memory|memories|record|records|notes|head|mind) .':
        'Get [Tom] out of your head.',
      'I (want|need|would like) {about:1..12} ((gone|deleted|erased|removed|wiped) <records>|forgotten) .':
        'I want [Tom] gone from your memory.',
      '<toldabout> {about:1..12} (should|must|has to|have to|needs to|need to|can) (be (forgotten|deleted|erased|removed|wiped)|go <records>) .':
        'Everything about [Tom] must be deleted.',
    },
    no: `I don't want you to worry about Tom. I don't want to hear about your diet. The kitchen is off limits. Ibuprofen is off limits for me.
      Everything about Tom must be lovely. I should never have told him about Tom. The chapter on whales is closed. Tom is a closed chapter. The divorce is behind us. I am over Tom.
      Stop it. Tom is a closed subject. The subject of Tom is closed. Please drop the subject of Tom. Stop asking me about my Japanese. Let's not talk about work tonight. I take back the parcel. Keep the cat out of the kitchen.`,
  },
]
