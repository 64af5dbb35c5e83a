// All signs of patterns are explained in ../matching/rule.ts.
// How to read a phrase, such as `forget: 'forget|forgetting|unhear|…'`: patterns of request-rules.ts use it as `<forget>`.
// `CAPITAL` is a word with a capital. `<person>` is another phrase, of this file or of phrases.ts.
/** Phrases of requests to forget, matched without part-of-speech tags. */
export const REQUEST_PHRASES = {
  interjection: `hey|eh|yo|lol|bro|mate|man|ok|okay|alright|right|actually|well|oh|ah|hm|hmm|um|uh|er|sorry|and|also|now|so|but|no &(,|;)|yes|yeah|wait
    |listen|look|honestly|anyway|again|then|just|kindly|by the way|btw|on second (thought|thoughts)|come to think of it
    |you know what|one more thing|one thing|thank you|thanks
    |[let us] (start|begin) (over|afresh|anew|fresh|from scratch)|[let us] make a fresh start [with me]
    |[let us] wipe the slate clean`,
  polite: `please|pls|plz|kindly|would you mind|[(can|could|will|would) you] do me a (favour|favor) [and|,]
    |(can|could|will|would) you|(can|could) I ask you to
    |I would (like|love|want|prefer) [it if] [for] you to|I (want|need) you to|I am asking you to|make yourself
    |[I would] appreciate it if you [could|would]|you (can|may)`,
  lead: '<interjection>|<polite>',
  leads: '[CAPITAL , &<lead>] (<lead> [,|;])*',
  interjections: '(<interjection> [,|;])*',
  turn: 'so|but|and',
  drop: `forget|forgetting|erase|erasing|delete|deleting|remove|removing|drop|dropping|disregard|disregarding|ignore
    |ignoring|scratch|strike|striking|wipe|wiping|(get|getting) rid of|scrub|scrubbing|purge|purging|clear [out]
    |(clearing) [out]|lose|scrap|scrapping|unhear|unremember|un-remember`,
  keep: `remember|remembering|store|storing|save|saving|keep|keeping|record|recording|(hold|holding) (onto|on to)|retain
    |retaining`,
  kept: 'remember|remembered|store|stored|save|saved|keep|kept|record|recorded|(held|hold) (onto|on to)|retain|retained',
  forget: 'forget|forgetting|unhear|unremember|un-remember',
  storing: 'store|storing|record|recording',
  erased: 'forgot|dropped|deleted|erased',
  unwanted: 'I do not want you to',
  needless: 'no need [for you] to|you do not (need|have) to',
  mine: '<my>|<names>',
  hold: 'remember|store|storing|save|saving|keep|keeping|record|recording',
  never: '[do|you do] not [need to|have to]|stop|never|no need to',
  /** Pronouns for a person who was named before. */
  them: 'him|her|them',
  they: 'he|she|they',
  records: '(from|out of|off) [the|your|all your] (memory|memories|record|records|notes|head|mind|database)',
  toldby: 'said|told you|mentioned|wrote|shared|brought up|confided',
  toldabout: `(what|whatever|everything|anything|all|the (thing|things|stuff)) [that] I [have] [just|ever] <toldby> [to you]
    [just now|earlier|before|yesterday|!about _] [!about _] [!about _] [!about _] [!about _] (about|abt|of|regarding|on|concerning)|what you (know|have) (about|of|on)
    |(the|that|this) [whole|entire] (part|thing|fact|bit|stuff|story|message|conversation|talk|chat|business|matter)
    (about|that|where|with)|(everything|anything|all) [you know] about`,
  stated: 'that &(I|my|we|our|he|she|they|_ (is|was|has|had|lives|works|likes|loves))',
  brought:
    'mentioned|brought up|told you about|said (anything|something|that|this|it|stuff|things) about|talked about|spoke about',
  pretending: '[let us|can we|could we|we can] [just] (pretend|act (like|as if)) [that]',
  unsaid: '<pretending> I (have|had)* (never|did not|not) [ever]',
  undone: '(never|did not) [ever] (happen|happened|exist|existed|come up|came up)',
  say: 'mention|mentioned|bring up|brought up|(tell|told) you|say|said|send|sent|write|wrote',
  telling: `mention|mentioned|bring up|brought up|(tell|told) you (about|that)|(talk|talked) about
    |(say|said) (anything|something|a word) about`,
  rather: 'I would [much|really] (rather|prefer [it] [if|that]) [that] you',
  unknown: '(<unwanted>|<rather> did not) [ever|still]',
  regretted: `I [really|so|do] (wish I ((had|would) (never|not)|never|did not)|should (never|not) have|regret)
    ((tell|telling|told) you about|(mention|mentioning|mentioned|bringing up|brought up) !(_* to !you))`,
  dropit: `(please [just] <forget> [all] [about] (it|this|that) [all|one]|[just] <forget> [about] (it|this|that) [,] please)
    |[please] [just] forget (it|this|that) ever (came up|happened)`,
  /** Matches “…, please forget it, and don't keep it.”. */
  nomore: `(,|;) [and] (do not|never) [ever] (keep|save|store|note|record|remember|mention) (it|this|that) [again|anywhere|down]`,
  topical: `[about|regarding|as for|concerning|remember|you know] (<toldabout>|&((the|that|this|my|our) _) !(_ it))`,
  unkept: '(did|do) not <kept>|not [to] <kept>',
  last: 'last|latest|previous|preceding|most recent',
  bit: 'thing|bit|part|message|sentence|line|remark|comment|statement|one|turn',
  moment: `just now|earlier|there|above|(a|one) (moment|minute|second) ago|moments ago|in (my|that) <last> <bit>`,
  lastbit: '(that|my) [very] <last> <bit>|the <last> (message|remark)|the message before this [one]',
  just: `[about] (what|everything|all|(the|that) [very] [<last>] <bit>) [that] I [have] [just|last] (<toldby>|sent|typed) [to you] [<moment>]
    |<lastbit>|[that] I [ever] (said|told you|mentioned|brought up|wrote) (that|this|it|anything|something)`,
  this: 'this|that|it|any of (this|that|it)',
  stays: '(is|was|stays) [strictly|all] off the record',
  secret: `[very|rather|quite|really|strictly]
    (private|confidential|personal|a secret|off the record|between us|nobody's business)`,
  /** Matches what is kept of a person, and is no matter of daily life. */
  particulars:
    'medication|medications|meds|address|salary|income|weight|age|birthday|diagnosis|religion|phone number|medical (history|data)',
  nosaving: '[,|;] [so] [and] [please] (do not|never) (remember|store|save|keep|record) (it|that|this|them)',
  names: 'CAPITAL+ .',

  /** Matches a dismissal that is no request: “forget it”. */
  waved: `(it|that|this|these|those|him|her|them|me|us|you|one|all|what|anything|everything|something|nothing|someone
    |somebody|here|there|now|today|tomorrow|everyone|everybody) .|to|who`,
  /** Matches “forget” used in passing: “Forget Paris, let's go to Rome”. */
  passing: `(forget|forgetting) (about|all about|CAPITAL|my|our|everything) (!(,|;|-) _)* [,|;|-] [and|but|so]
    (let us|we|how about|what about|what is|tell me|come on|who cares|there is|it is time|focus)
    |(strike|scratch) that [,|;|-] !(please|thanks|thank|it|that|from|.)`,
  /** Matches a question about what a person heard, which is no request. */
  refused: `(<interjection>|,)* you (never|did not) (hear|heard) _* ?`,
  /** Matches words before a request that attribute it to another person or make it hypothetical. */
  unasked: `(if|unless|when|whenever|suppose|imagine|while|until)
    |(<confessing>|!<confessing> !<quoting> !<introducing> _)* !<confessing> (<quoting>|<introducing>)`,
  introducing: `(if|unless|when|whenever|whether|suppose|imagine|wish|hope|wonder|until|remember|say|says|said|told|tells|asked
    |asks|answered|replied|wrote|writes|shouted|screamed|begged|go|went|like|be|he|she|they|people) .`,
  quoting: 'say|says|said|told|tells|asked|asks|answered|replied|wrote|writes|shouted|begged',
  confessing: 'I (should|not|have|never|just|already|had|did)* (say|said|tell|told|asked|wrote|mentioned)',
  /** Matches a reference to the speaker's earlier words, which is always a request. */
  unmistakable: `<interjection>* (<drop> (<toldabout>|<just>)|[let us] pretend|I would (rather|prefer)|(strike|scratch) that
    |do not (store|save|record|keep|remember) (<toldabout>|it|this|that)|(that|this|it) is off the record)`,

  /** Matches the start of a reason or an aside. */
  aside: `;|because|cause|cuz|cos|since <person>|as (it|I|he|she|they|we|that)|so (<person>|nobody|no)
    |before (<person>|someone|anyone)|though|although|but|until|unless|if you (can|could|would|do not)|, !<listed>
    |and (<person>|please|do not|never|let us|thanks)`,
  person: 'it|I|he|she|they|we|you|that',
  listed: '<entry> ([,] (and|or) (CAPITAL|my|the|our)|, <entry> (,|and|or))|(and|or) CAPITAL .',
  entry: 'CAPITAL|(my|the|our) _',
  closing: `please|pls|plz|thanks|thank you|thx|ok|okay|would you|will you|could you|can you|for (me|now)|at all|altogether
    |completely|entirely|right now|just now|earlier|again|alright|if you (can|could|do not mind)
    |from [your] (memory|record|records)`,
} as const
