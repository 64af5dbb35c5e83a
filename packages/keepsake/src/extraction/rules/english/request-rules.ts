import type { RequestRule } from '../matching/rule.ts'

/** “Forget what I just said”, “forget that I live in Lyon”. */
export const ENGLISH_REQUESTS: readonly RequestRule[] = [
  {
    forget: {
      '<drop> <just> .': 'Forget I said anything.',
      'never mind what I [just] said .': 'Never mind what I said.',
      '(do not|never) <hold> (<this>|what I [just] said) .': "don't remember this",
      '<rather> forgot <just> .': "I'd rather you forgot what I just said.",
      '(<rather> <unkept>|(<unwanted>|<needless>) <keep>) <this> .': 'No need to remember that.',
      '<unsaid> <say> (that|this|it|anything) [at all] .': "Let's pretend I never said that.",
      '(pretend|act (like|as if)) you (never|did not) (hear|heard) <this> .': 'Pretend you never heard that.',
      '(strike|scratch) that .': 'Strike that.',
      '(strike|scratch|delete|erase|remove|take|wipe) (that|this|it) <records> .':
        'Strike that from the record, please.',
      '(that|this|it|what I [just] (said|told you)|all [of] (that|this)) <stays> .':
        'What I just told you is strictly off the record.',
      '[(this|that) (is|was)] [strictly] off the record .': 'Off the record, please.',
      'keep <this> off the record .': 'Please keep that off the record.',
      '(that|this|it) (is|was) <secret> <nosaving> .': "That's private, please don't store it.",
    },
    no: `Forget that! Strike that, I meant Tuesday. Pretend I'm a pirate. The interview was off the record.
      Please remember this. Could you keep that? I need you to remember this.`,
  },
  {
    forget: {
      '<drop> [that] I [have] [ever|even|just] <brought> {about:1..40} .': 'Forget I ever mentioned [Priya].',
      '<drop> (<toldabout>|<stated>) {about:1..40} .': 'Forget that [I live in Lyon].',
      '(erase|delete|remove|drop|wipe|strike|take) [my|the|our] {about:1..12} <records> .':
        'Remove my [phone number] from your memory.',
      'please <forget> ([all] about|&<mine>) {about:1..40} .':
        'Would you mind forgetting about [the wedding]?',
      '<forget> [all] about &<mine> {about:1..40} .': 'Forget about [my ex].',
      '<never> <keep> (<toldabout>|<stated>|about) {about:1..40} .': "Don't keep what I said about [Priya].",
      '(please <never> <keep>|<never> <storing>) &<my> {about:1..40} .': "Don't store [my address].",
      '<never> [ever] <raise> {about:1..20} <again> .': "Don't mention [the divorce] again, it hurts.",
      '(do not|never) [ever] bring {about:1..12} up <again> .': "Don't ever bring [Priya] up again.",
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
    },
    no: `Don't forget that I live in Lyon. Forget about it! Forget about dinner, let us just order in.
      Forget about Tom, let's get pizza. Forget Paris, we're going to Rome. I forgot that she lives in Lyon.
      She told me to forget what I said about Tom. If I cry, forget what I said about Tom.
      Don't remember that film. Don't bring up dessert yet.`,
  },
]
